/* What kernel events mean beyond their raw row: one function a kind, listed by
 * event id in ftrace_handlers.c. */
#ifndef ENGINE_IMPORT_FTRACE_HANDLERS_H
#define ENGINE_IMPORT_FTRACE_HANDLERS_H

#include "engine/import/ftrace.h"

/* ftrace_sched.c */
void ftrace_on_waking(const struct ftrace_event *event);
void ftrace_on_blocked_reason(const struct ftrace_event *event);
void ftrace_on_newtask(const struct ftrace_event *event);
void ftrace_on_rename(const struct ftrace_event *event);
void ftrace_on_process_free(const struct ftrace_event *event);

/* ftrace_print.c */
void ftrace_on_print(const struct ftrace_event *event);
void ftrace_on_zero(const struct ftrace_event *event);
void ftrace_on_mark_write(const struct ftrace_event *event);

/* ftrace_power.c */
void ftrace_on_cpu_frequency(const struct ftrace_event *event);
void ftrace_on_cpu_frequency_limits(const struct ftrace_event *event);
void ftrace_on_cpu_idle(const struct ftrace_event *event);
void ftrace_on_cpu_utilization(const struct ftrace_event *event);
void ftrace_on_clock(const struct ftrace_event *event);
void ftrace_on_clk(const struct ftrace_event *event);
void ftrace_on_devfreq(const struct ftrace_event *event);
void ftrace_on_temperature(const struct ftrace_event *event);
void ftrace_on_cooling(const struct ftrace_event *event);
void ftrace_on_exynos_thermal(const struct ftrace_event *event);
void ftrace_on_suspend_minimal(const struct ftrace_event *event);
void ftrace_on_suspend(const struct ftrace_event *event);
void ftrace_on_wakeup_source(const struct ftrace_event *event);
void ftrace_on_gpu_frequency(const struct ftrace_event *event);

/* ftrace_memory.c */
void ftrace_on_rss_stat(const struct ftrace_event *event);
void ftrace_on_oom_score(const struct ftrace_event *event);
void ftrace_on_mark_victim(const struct ftrace_event *event);
void ftrace_on_ion_heap(const struct ftrace_event *event);
void ftrace_on_ion_stat(const struct ftrace_event *event);
void ftrace_on_dma_heap(const struct ftrace_event *event);
void ftrace_on_fastrpc(const struct ftrace_event *event);
void ftrace_on_gpu_mem_total(const struct ftrace_event *event);
void ftrace_on_lowmemory_kill(const struct ftrace_event *event);
void ftrace_on_direct_reclaim_begin(const struct ftrace_event *event);
void ftrace_on_direct_reclaim_end(const struct ftrace_event *event);
void ftrace_on_cma_start(const struct ftrace_event *event);
void ftrace_on_cma_migrate(const struct ftrace_event *event);
void ftrace_on_cma_finish(const struct ftrace_event *event);
void ftrace_on_cma_info(const struct ftrace_event *event);
void ftrace_on_mm_event(const struct ftrace_event *event);

/* ftrace_irq.c */
void ftrace_on_irq_entry(const struct ftrace_event *event);
void ftrace_on_irq_exit(const struct ftrace_event *event);
void ftrace_on_softirq_entry(const struct ftrace_event *event);
void ftrace_on_softirq_exit(const struct ftrace_event *event);
void ftrace_on_ipi_entry(const struct ftrace_event *event);
void ftrace_on_ipi_exit(const struct ftrace_event *event);
void ftrace_on_local_timer_entry(const struct ftrace_event *event);
void ftrace_on_work_start(const struct ftrace_event *event);
void ftrace_on_work_end(const struct ftrace_event *event);
void ftrace_on_signal_generate(const struct ftrace_event *event);
void ftrace_on_signal_deliver(const struct ftrace_event *event);
void ftrace_on_kprobe(const struct ftrace_event *event);

/* ftrace_binder.c */
void ftrace_on_binder_transaction(const struct ftrace_event *event);
void ftrace_on_binder_received(const struct ftrace_event *event);
void ftrace_on_binder_alloc(const struct ftrace_event *event);
void ftrace_on_binder_return(const struct ftrace_event *event);
void ftrace_on_binder_lock(const struct ftrace_event *event);

/* ftrace_io.c */
void ftrace_on_ufs_command(const struct ftrace_event *event);
void ftrace_on_ufs_gating(const struct ftrace_event *event);
void ftrace_on_f2fs_iostat(const struct ftrace_event *event);
void ftrace_on_f2fs_latency(const struct ftrace_event *event);
void ftrace_on_net_receive(const struct ftrace_event *event);
void ftrace_on_net_transmit(const struct ftrace_event *event);
void ftrace_on_tcp_retransmit(const struct ftrace_event *event);
void ftrace_on_kfree_skb(const struct ftrace_event *event);
void ftrace_on_napi_entry(const struct ftrace_event *event);
void ftrace_on_napi_exit(const struct ftrace_event *event);

/* ftrace_drm.c */
void ftrace_on_vblank(const struct ftrace_event *event);
void ftrace_on_drm_queue(const struct ftrace_event *event);
void ftrace_on_drm_run(const struct ftrace_event *event);
void ftrace_on_drm_done(const struct ftrace_event *event);
void ftrace_drm_free(struct ftrace_drm *drm);

/* ftrace_syscall.c */
void ftrace_on_sys_enter(const struct ftrace_event *event);
void ftrace_on_sys_exit(const struct ftrace_event *event);
/* A mark of user space comes: the write that carries it is over.  Only to be called
 * when ftrace->syscalls is there. */
void ftrace_syscalls_cut_write(const struct ftrace_event *event);
void ftrace_syscalls_free(struct ftrace_syscalls *syscalls);

/* ftrace_v4l2.c */
void ftrace_on_v4l2(const struct ftrace_event *event);
void ftrace_v4l2_free(struct ftrace_v4l2 *v4l2);

/* ftrace_gpu.c */
void ftrace_on_virtio_gpu(const struct ftrace_event *event);
void ftrace_on_adreno_queued(const struct ftrace_event *event);
void ftrace_on_adreno_sync(const struct ftrace_event *event);
void ftrace_on_adreno_retired(const struct ftrace_event *event);
void ftrace_on_hyp_enter(const struct ftrace_event *event);
void ftrace_on_hyp_exit(const struct ftrace_event *event);
void ftrace_on_hyp_reason(const struct ftrace_event *event);
void ftrace_adreno_free(struct ftrace_adreno *adreno);

#endif
