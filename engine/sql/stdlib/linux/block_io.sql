-- A kernel packs the numbers of a device into one.
CREATE PERFETTO FUNCTION linux_device_major_id(dev LONG)
RETURNS LONG AS
SELECT ($dev >> 8) & 0xfff;

CREATE PERFETTO FUNCTION linux_device_minor_id(dev LONG)
RETURNS LONG AS
SELECT ($dev & 0xff) | (($dev >> 20) << 8);

-- A request is told when it goes to the device (or, by newer events, into its queue) and when
-- it is done.  Of a device that tells both the newer one counts.
CREATE PERFETTO TABLE _block_io_events AS
SELECT
  ts, name IN ('block_io_start', 'block_rq_issue') AS is_start,
  name IN ('block_io_start', 'block_io_done') AS is_newer,
  extract_arg(arg_set_id, 'dev') AS dev, extract_arg(arg_set_id, 'sector') AS sector,
  extract_arg(arg_set_id, 'nr_sector') AS nr_sector, extract_arg(arg_set_id, 'rwbs') AS rwbs,
  utid
FROM ftrace_event
WHERE name IN ('block_io_start', 'block_io_done', 'block_rq_issue', 'block_rq_complete')
ORDER BY ts;

-- Each request with the end that follows its start on the same sector.
CREATE PERFETTO TABLE _block_io_requests AS
SELECT ts, next_ts - ts AS dur, dev, sector, nr_sector, rwbs, utid, is_newer
FROM (
  SELECT
    ts, dev, sector, nr_sector, rwbs, utid, is_newer, is_start,
    lead(ts) OVER same AS next_ts, lead(is_start) OVER same AS next_is_start
  FROM _block_io_events
  WINDOW same AS (PARTITION BY is_newer, dev, sector ORDER BY ts)
)
WHERE is_start AND next_is_start = 0
ORDER BY ts;

CREATE PERFETTO TABLE _block_io_slices AS
SELECT row_number() OVER (ORDER BY r.ts) - 1 AS id, r.ts, r.dur, r.dev, r.sector, r.nr_sector,
  r.rwbs, r.utid
FROM _block_io_requests AS r
WHERE
  r.is_newer
  OR NOT EXISTS (SELECT 1 FROM _block_io_requests AS n WHERE n.is_newer AND n.dev = r.dev)
ORDER BY r.ts;

CREATE PERFETTO VIEW linux_active_block_io_operations_by_device AS
SELECT ts, sum(sum(change)) OVER (PARTITION BY dev ORDER BY ts) AS ops_in_queue_or_device, dev
FROM (
  SELECT ts, 1 AS change, dev FROM _block_io_slices
  UNION ALL
  SELECT ts + dur, -1, dev FROM _block_io_slices
)
GROUP BY ts, dev;
