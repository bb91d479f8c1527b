-- Threads, processes, machines and what is installed on them.
CREATE VIRTUAL TABLE thread USING perfetty_table(
  __intrinsic_thread, utid, id, tid, name, start_ts, end_ts, upid, is_main_thread, is_idle,
  machine_id, arg_set_id
);

CREATE VIRTUAL TABLE process USING perfetty_table(
  __intrinsic_process, upid, id, pid, name, start_ts, end_ts, parent_upid, uid, android_appid,
  android_user_id, cmdline, arg_set_id, machine_id
);

CREATE VIEW gpu AS
SELECT
  id, id AS ugpu, gpu, name, vendor, model, architecture, uuid, pci_bdf, machine_id, arg_set_id
FROM __intrinsic_gpu
WHERE gpu IS NOT NULL;

CREATE VIEW machine AS
SELECT
  m.id, m.raw_id, m.name, m.sysname, m.release, m.version, m.arch, m.num_cpus,
  m.android_build_fingerprint, m.android_device_manufacturer, m.android_sdk_version,
  m.system_ram_bytes, m.system_ram_gb,
  CASE
    WHEN m.raw_id = 0 THEN 0
    ELSE (SELECT count(1) FROM __intrinsic_machine AS o WHERE o.raw_id != 0 AND o.id <= m.id)
  END AS label_index
FROM __intrinsic_machine AS m;

CREATE VIEW package_list AS
SELECT id, package_name, uid, debuggable, profileable_from_shell, version_code
FROM __intrinsic_package_list;

CREATE VIEW android_game_intervention_list AS
SELECT
  id, package_name, uid, current_mode,
  standard_mode_supported, standard_mode_downscale, standard_mode_use_angle, standard_mode_fps,
  perf_mode_supported, perf_mode_downscale, perf_mode_use_angle, perf_mode_fps,
  battery_mode_supported, battery_mode_downscale, battery_mode_use_angle, battery_mode_fps
FROM __intrinsic_android_game_intervention_list;

CREATE VIEW android_dumpstate AS
SELECT id, section, service, line FROM __intrinsic_android_dumpstate;

CREATE VIEW filedescriptor AS
SELECT id, ufd, fd, ts, upid, path FROM __intrinsic_filedescriptor;

CREATE VIEW experimental_missing_chrome_processes AS
SELECT id, upid, reliable_from FROM __intrinsic_experimental_missing_chrome_processes;
