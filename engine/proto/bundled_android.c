#include "engine/proto/bundled.h"

/* Extensions of track events that Android's framework writes. */
const char *const bundled_android_messages[] = {
    "TrackEvent{message_queue 2004:.com.android.internal.AndroidMessageQueue, bitmap "
    "2005:.com.android.internal.AndroidBitmap, job_scheduler_job "
    "2006:.com.android.internal.AndroidJobSchedulerJob, broadcast_event "
    "2008:.com.android.internal.AndroidBroadcastEvent, freezer_event "
    "2009:.com.android.internal.AndroidFreezerEvent, process_state_changed_event "
    "2012:.com.android.internal.AndroidProcessStateChangedEvent, service_state_changed_event "
    "2014:.com.android.internal.AndroidServiceStateChangedEvent, "
    "provider_state_changed_event "
    "2015:.com.android.internal.AndroidProviderStateChangedEvent, "
    "fg_service_state_changed_event "
    "2016:.com.android.internal.AndroidServiceStateChangedEvent}",
    ".com.android.internal.AndroidMessageQueue{sending_thread_name 1:str, "
    "receiving_thread_name 2:str, message_code 3:i32, message_delay_ms 4:u64}",
    ".com.android.internal.AndroidBitmap{size 1:i64, width 2:i32, height 3:i32, density "
    "4:i32, config 5:i32, mutable_pixels 6:i32, pixel_storage_type 7:i32, id 8:i64}",
    ".com.android.internal.AndroidJobSchedulerJob{job_id 1:i32, source_uid 2:i32, proxy_uid "
    "3:i32, state 4:i32, standby_bucket 5:i32, requested_priority 6:i32, effective_priority "
    "7:i32, num_previous_attempts 8:i32, deadline_ms 9:i64, delay_ms 10:i64, "
    "job_start_latency_ms 11:i64, num_uncompleted_work_items 12:i32, proc_state 13:i32, "
    "periodic_job_interval_ms 14:i64, periodic_job_flex_interval_ms 15:i64, "
    "num_reschedules_due_to_abandonment 16:i32, back_off_policy_type 17:i32, "
    "internal_stop_reason 18:i32, public_stop_reason 19:i32, job_state_flags 20:i64, "
    "job_name_iid 21:u64}",
    ".com.android.internal.ReceiverType(RECEIVER_TYPE_UNKNOWN=0, RECEIVER_TYPE_RUNTIME=1, "
    "RECEIVER_TYPE_MANIFEST=2)",
    ".com.android.internal.ProcessStartType(PROCESS_START_TYPE_UNKNOWN=0, "
    "PROCESS_START_TYPE_WARM=1, PROCESS_START_TYPE_HOT=2, PROCESS_START_TYPE_COLD=3)",
    ".com.android.internal.PackageStoppedState(PACKAGE_STATE_UNKNOWN=0, "
    "PACKAGE_STATE_NORMAL=1, PACKAGE_STATE_STOPPED=2)",
    ""
    ".com.android.internal.BroadcastDeliveryGroupPolicy(BROADCAST_DELIVERY_GROUP_POLICY_ALL=0, "
    "BROADCAST_DELIVERY_GROUP_POLICY_MOST_RECENT=1, BROADCAST_DELIVERY_GROUP_POLICY_MERGED=2)",
    ".com.android.internal.ProcessStateEnum(PROCESS_STATE_UNSPECIFIED=0, "
    "PROCESS_STATE_UNKNOWN_TO_PROTO=998, PROCESS_STATE_UNKNOWN=999, "
    "PROCESS_STATE_PERSISTENT=1000, PROCESS_STATE_PERSISTENT_UI=1001, "
    "PROCESS_STATE_TOP=1002, PROCESS_STATE_BOUND_TOP=1020, "
    "PROCESS_STATE_FOREGROUND_SERVICE=1003, PROCESS_STATE_BOUND_FOREGROUND_SERVICE=1004, "
    "PROCESS_STATE_IMPORTANT_FOREGROUND=1005, PROCESS_STATE_IMPORTANT_BACKGROUND=1006, "
    "PROCESS_STATE_TRANSIENT_BACKGROUND=1007, PROCESS_STATE_BACKUP=1008, "
    "PROCESS_STATE_SERVICE=1009, PROCESS_STATE_RECEIVER=1010, "
    "PROCESS_STATE_TOP_SLEEPING=1011, PROCESS_STATE_HEAVY_WEIGHT=1012, "
    "PROCESS_STATE_HOME=1013, PROCESS_STATE_LAST_ACTIVITY=1014, "
    "PROCESS_STATE_CACHED_ACTIVITY=1015, PROCESS_STATE_CACHED_ACTIVITY_CLIENT=1016, "
    "PROCESS_STATE_CACHED_RECENT=1017, PROCESS_STATE_CACHED_EMPTY=1018, "
    "PROCESS_STATE_NONEXISTENT=1019)",
    ".com.android.internal.AndroidBroadcastEvent{receiver_uid 1:i32, receiver_pid 2:i32, "
    "sender_uid 3:i32, sender_pid 4:i32, action_name 5:str, receiver_type 6:ReceiverType, "
    "proc_start_type 7:ProcessStartType, dispatch_delay_ms 8:i64, receive_delay_ms 9:i64, "
    "finish_delay_ms 10:i64, package_stopped_state 11:PackageStoppedState, broadcast_type "
    "12:i32, delivery_group_policy 13:BroadcastDeliveryGroupPolicy, intent_flags 14:i32, "
    "filter_priority 15:i32, sender_process_state 16:ProcessStateEnum, "
    "receiver_process_state 17:ProcessStateEnum, first_launch 18:u32}",
    ".com.android.internal.AndroidFreezerEvent{uid 1:i32, pid 2:i32, unfrozen_dur_ms 3:i64, "
    "frozen_dur_ms 4:i64, unfreeze_reason 5:i32}",
    ".com.android.internal.AndroidProcessStateChangedEvent{uid 1:i32, pid 2:i32, "
    "prev_proc_state 3:ProcessStateEnum, cur_proc_state 4:ProcessStateEnum, "
    "prev_capability_flags 5:i32, cur_capability_flags 6:i32, prev_oom_score 7:i32, "
    "cur_oom_score 8:i32, reason 9:i32, seq_id 10:i64, cpu_time_reasons 11:i32, "
    "implicit_cpu_time_reasons 12:i32, freeze_policy_flags 13:i32}",
    ".com.android.internal.AndroidServiceStateChangedEvent{uid 1:i32, pid 2:i32, "
    "component_name 3:str, intent_action 4:str, bind_id 5:i32, foreground_service_type "
    "6:i32, caller_uid 7:i32, caller_pid 8:i32, reason_enum 9:i32, bind_flags 10:i32}",
    ".com.android.internal.AndroidProviderStateChangedEvent{uid 1:i32, pid 2:i32, authority "
    "3:str, caller_uid 4:i32, caller_pid 5:i32, is_stable 6:i32}",
    "GpuApi(GPU_API_UNDEFINED=0, GPU_API_OPEN_GL=1, GPU_API_VULKAN=2, GPU_API_OPEN_CL=3, "
    "GPU_API_CUDA=4, GPU_API_HIP=5)",
    "GpuCorrelation{render_stage_submission_event_ids 1*:u64, render_stage_wait_event_ids "
    "2*:u64}",
    "TrackEvent{gpu_correlation 3000:GpuCorrelation, gpu_api 3001:GpuApi}",
    "TrackEvent{binder_service_name 2001:str, binder_interface_name 2002:str, apex_name "
    "2003:str}",
};

const size_t bundled_android_messages_count =
    sizeof bundled_android_messages / sizeof *bundled_android_messages;
