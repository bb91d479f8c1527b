#include "engine/proto/bundled.h"

/* Typed fields of track events and what they hold. */
const char *const bundled_messages[] = {
    "TrackEvent{cc_scheduler_state 24:ChromeCompositorSchedulerState,"
    "chrome_user_event 25:ChromeUserEvent, chrome_keyed_service 26:ChromeKeyedService,"
    "chrome_legacy_ipc 27:ChromeLegacyIpc, chrome_histogram_sample 28:ChromeHistogramSample,"
    "chrome_latency_info 29:ChromeLatencyInfo, chrome_frame_reporter 32:ChromeFrameReporter,"
    "source_location 33:SourceLocation, source_location_iid 34:u64, chrome_message_pump "
    "35:ChromeMessagePump,"
    "chrome_mojo_event_info 38:ChromeMojoEventInfo,"
    "chrome_application_state_info 39:ChromeApplicationStateInfo,"
    "chrome_renderer_scheduler_state 40:ChromeRendererSchedulerState,"
    "chrome_window_handle_event_info 41:ChromeWindowHandleEventInfo,"
    "chrome_content_settings_event_info 43:ChromeContentSettingsEventInfo,"
    "chrome_active_processes 49:ChromeActiveProcesses, screenshot 50:Screenshot}",

    "SourceLocation{iid 1:u64, file_name 2:str, function_name 3:str, line_number 4:u32}",
    "Screenshot{jpg_image 1:bytes, pam_image 2:bytes, ppm_image 3:bytes}",
    "ChromeUserEvent{action 1:str, action_hash 2:u64}",
    "ChromeKeyedService{name 1:str}",
    "ChromeHistogramSample{name_hash 1:u64, name 2:str, sample 3:i64, name_iid 4:u64}",
    "ChromeMessagePump{sent_messages_in_queue 1:bool, io_handler_location_iid 2:u64}",
    "ChromeMojoEventInfo{watcher_notify_interface_tag 1:str, ipc_hash 2:u32,"
    "mojo_interface_tag 3:str, mojo_interface_method_iid 4:u64, is_reply 5:bool,"
    "payload_size 6:u64, data_num_bytes 7:u64}",
    "ChromeApplicationStateInfo{application_state 1:ChromeApplicationState}",
    "ChromeApplicationStateInfo.ChromeApplicationState(APPLICATION_STATE_UNKNOWN=0,"
    "APPLICATION_STATE_HAS_RUNNING_ACTIVITIES=1, APPLICATION_STATE_HAS_PAUSED_ACTIVITIES=2,"
    "APPLICATION_STATE_HAS_STOPPED_ACTIVITIES=3, APPLICATION_STATE_HAS_DESTROYED_ACTIVITIES=4)",
    "ChromeRAILMode(RAIL_MODE_NONE=0, RAIL_MODE_RESPONSE=1, RAIL_MODE_ANIMATION=2,"
    "RAIL_MODE_IDLE=3, RAIL_MODE_LOAD=4)",
    "ChromeRendererSchedulerState{rail_mode 1:ChromeRAILMode, is_backgrounded 2:bool,"
    "is_hidden 3:bool}",
    "ChromeWindowHandleEventInfo{dpi 1:u32, message_id 2:u32, hwnd_ptr 3:fx64}",
    "ChromeContentSettingsEventInfo{number_of_exceptions 1:u32}",
    "ChromeActiveProcesses{pid 1*:i32}",

    "ChromeLegacyIpc{message_class 1:MessageClass, message_line 2:u32}",
    "ChromeLegacyIpc.MessageClass(CLASS_UNSPECIFIED=0, CLASS_AUTOMATION=1, CLASS_FRAME=2,"
    "CLASS_PAGE=3, CLASS_VIEW=4, CLASS_WIDGET=5, CLASS_INPUT=6, CLASS_TEST=7, CLASS_WORKER=8,"
    "CLASS_NACL=9, CLASS_GPU_CHANNEL=10, CLASS_MEDIA=11, CLASS_PPAPI=12, CLASS_CHROME=13,"
    "CLASS_DRAG=14, CLASS_PRINT=15, CLASS_EXTENSION=16, CLASS_TEXT_INPUT_CLIENT=17,"
    "CLASS_BLINK_TEST=18, CLASS_ACCESSIBILITY=19, CLASS_PRERENDER=20, CLASS_CHROMOTING=21,"
    "CLASS_BROWSER_PLUGIN=22, CLASS_ANDROID_WEB_VIEW=23, CLASS_NACL_HOST=24,"
    "CLASS_ENCRYPTED_MEDIA=25, CLASS_CAST=26, CLASS_GIN_JAVA_BRIDGE=27,"
    "CLASS_CHROME_UTILITY_PRINTING=28, CLASS_OZONE_GPU=29, CLASS_WEB_TEST=30,"
    "CLASS_NETWORK_HINTS=31, CLASS_EXTENSIONS_GUEST_VIEW=32, CLASS_GUEST_VIEW=33,"
    "CLASS_MEDIA_PLAYER_DELEGATE=34, CLASS_EXTENSION_WORKER=35, CLASS_SUBRESOURCE_FILTER=36,"
    "CLASS_UNFREEZABLE_FRAME=37)",

    "ChromeLatencyInfo{trace_id 1:i64, step 2:Step, frame_tree_node_id 3:i32,"
    "component_info 4*:ComponentInfo, is_coalesced 5:bool, gesture_scroll_id 6:i64,"
    "touch_id 7:i64, input_type 8:InputType}",
    "ChromeLatencyInfo.ComponentInfo{component_type 1:LatencyComponentType, time_us 2:u64}",
    "ChromeLatencyInfo.Step(STEP_UNSPECIFIED=0, STEP_HANDLE_INPUT_EVENT_MAIN_COMMIT=1,"
    "STEP_MAIN_THREAD_SCROLL_UPDATE=2, STEP_SEND_INPUT_EVENT_UI=3,"
    "STEP_HANDLE_INPUT_EVENT_MAIN=4, STEP_HANDLE_INPUT_EVENT_IMPL=5, STEP_SWAP_BUFFERS=6,"
    "STEP_DRAW_AND_SWAP=7, STEP_DID_HANDLE_INPUT_AND_OVERSCROLL=8,"
    "STEP_HANDLED_INPUT_EVENT_MAIN_OR_IMPL=9, STEP_HANDLED_INPUT_EVENT_IMPL=10,"
    "STEP_FINISHED_SWAP_BUFFERS=11)",
    "ChromeLatencyInfo.LatencyComponentType(COMPONENT_UNSPECIFIED=0,"
    "COMPONENT_INPUT_EVENT_LATENCY_BEGIN_RWH=1,"
    "COMPONENT_INPUT_EVENT_LATENCY_SCROLL_UPDATE_ORIGINAL=2,"
    "COMPONENT_INPUT_EVENT_LATENCY_FIRST_SCROLL_UPDATE_ORIGINAL=3,"
    "COMPONENT_INPUT_EVENT_LATENCY_ORIGINAL=4, COMPONENT_INPUT_EVENT_LATENCY_UI=5,"
    "COMPONENT_INPUT_EVENT_LATENCY_RENDERER_MAIN=6,"
    "COMPONENT_INPUT_EVENT_LATENCY_RENDERING_SCHEDULED_MAIN=7,"
    "COMPONENT_INPUT_EVENT_LATENCY_RENDERING_SCHEDULED_IMPL=8,"
    "COMPONENT_INPUT_EVENT_LATENCY_SCROLL_UPDATE_LAST_EVENT=9,"
    "COMPONENT_INPUT_EVENT_LATENCY_ACK_RWH=10, COMPONENT_INPUT_EVENT_LATENCY_RENDERER_SWAP=11,"
    "COMPONENT_DISPLAY_COMPOSITOR_RECEIVED_FRAME=12, COMPONENT_INPUT_EVENT_GPU_SWAP_BUFFER=13,"
    "COMPONENT_INPUT_EVENT_LATENCY_FRAME_SWAP=14)",
    "ChromeLatencyInfo.InputType(UNSPECIFIED_OR_OTHER=0, TOUCH_MOVED=1, GESTURE_SCROLL_BEGIN=2,"
    "GESTURE_SCROLL_UPDATE=3, GESTURE_SCROLL_END=4, GESTURE_TAP=5, GESTURE_TAP_CANCEL=6)",

    "ChromeFrameReporter{state 1:State, reason 2:FrameDropReason, frame_source 3:u64,"
    "frame_sequence 4:u64, affects_smoothness 5:bool, scroll_state 6:ScrollState,"
    "has_main_animation 7:bool, has_compositor_animation 8:bool, has_smooth_input_main 9:bool,"
    "has_missing_content 10:bool, layer_tree_host_id 11:u64, has_high_latency 12:bool,"
    "frame_type 13:FrameType, high_latency_contribution_stage 14*:str,"
    "checkerboarded_needs_raster 15:bool, checkerboarded_needs_record 16:bool,"
    "surface_frame_trace_id 17:i64, display_trace_id 18:i64}",
    "ChromeFrameReporter.State(STATE_NO_UPDATE_DESIRED=0, STATE_PRESENTED_ALL=1,"
    "STATE_PRESENTED_PARTIAL=2, STATE_DROPPED=3)",
    "ChromeFrameReporter.FrameDropReason(REASON_UNSPECIFIED=0, REASON_DISPLAY_COMPOSITOR=1,"
    "REASON_MAIN_THREAD=2, REASON_CLIENT_COMPOSITOR=3)",
    "ChromeFrameReporter.ScrollState(SCROLL_NONE=0, SCROLL_MAIN_THREAD=1,"
    "SCROLL_COMPOSITOR_THREAD=2, SCROLL_UNKNOWN=3, SCROLL_RASTER=4)",
    "ChromeFrameReporter.FrameType(FORKED=0, BACKFILL=1)",

    "ChromeCompositorSchedulerAction(CC_SCHEDULER_ACTION_UNSPECIFIED=0,"
    "CC_SCHEDULER_ACTION_NONE=1, CC_SCHEDULER_ACTION_SEND_BEGIN_MAIN_FRAME=2,"
    "CC_SCHEDULER_ACTION_COMMIT=3, CC_SCHEDULER_ACTION_ACTIVATE_SYNC_TREE=4,"
    "CC_SCHEDULER_ACTION_DRAW_IF_POSSIBLE=5, CC_SCHEDULER_ACTION_DRAW_FORCED=6,"
    "CC_SCHEDULER_ACTION_DRAW_ABORT=7,"
    "CC_SCHEDULER_ACTION_BEGIN_LAYER_TREE_FRAME_SINK_CREATION=8,"
    "CC_SCHEDULER_ACTION_PREPARE_TILES=9,"
    "CC_SCHEDULER_ACTION_INVALIDATE_LAYER_TREE_FRAME_SINK=10,"
    "CC_SCHEDULER_ACTION_PERFORM_IMPL_SIDE_INVALIDATION=11,"
    "CC_SCHEDULER_ACTION_NOTIFY_BEGIN_MAIN_FRAME_NOT_EXPECTED_UNTIL=12,"
    "CC_SCHEDULER_ACTION_NOTIFY_BEGIN_MAIN_FRAME_NOT_EXPECTED_SOON=13)",
    "ChromeCompositorSchedulerState{state_machine 1:ChromeCompositorStateMachine,"
    "observing_begin_frame_source 2:bool, begin_impl_frame_deadline_task 3:bool,"
    "pending_begin_frame_task 4:bool, skipped_last_frame_missed_exceeded_deadline 5:bool,"
    "inside_action 7:ChromeCompositorSchedulerAction,"
    "deadline_mode 8:BeginImplFrameDeadlineMode, deadline_us 9:i64,"
    "deadline_scheduled_at_us 10:i64, now_us 11:i64, now_to_deadline_delta_us 12:i64,"
    "now_to_deadline_scheduled_at_delta_us 13:i64, begin_impl_frame_args 14:BeginImplFrameArgs,"
    "begin_frame_observer_state 15:BeginFrameObserverState,"
    "begin_frame_source_state 16:BeginFrameSourceState,"
    "compositor_timing_history 17:CompositorTimingHistory}",
    "ChromeCompositorSchedulerState.BeginImplFrameDeadlineMode(DEADLINE_MODE_UNSPECIFIED=0,"
    "DEADLINE_MODE_NONE=1, DEADLINE_MODE_IMMEDIATE=2, DEADLINE_MODE_REGULAR=3,"
    "DEADLINE_MODE_LATE=4, DEADLINE_MODE_BLOCKED=5)",
    "ChromeCompositorStateMachine{major_state 1:MajorState, minor_state 2:MinorState}",
    "ChromeCompositorStateMachine.MajorState{next_action 1:ChromeCompositorSchedulerAction,"
    "begin_impl_frame_state 2:BeginImplFrameState, begin_main_frame_state 3:BeginMainFrameState,"
    "layer_tree_frame_sink_state 4:LayerTreeFrameSinkState,"
    "forced_redraw_state 5:ForcedRedrawOnTimeoutState}",
    "ChromeCompositorStateMachine.MajorState.BeginImplFrameState(BEGIN_IMPL_FRAME_UNSPECIFIED=0,"
    "BEGIN_IMPL_FRAME_IDLE=1, BEGIN_IMPL_FRAME_INSIDE_BEGIN_FRAME=2,"
    "BEGIN_IMPL_FRAME_INSIDE_DEADLINE=3)",
    "ChromeCompositorStateMachine.MajorState.BeginMainFrameState(BEGIN_MAIN_FRAME_UNSPECIFIED=0,"
    "BEGIN_MAIN_FRAME_IDLE=1, BEGIN_MAIN_FRAME_SENT=2, BEGIN_MAIN_FRAME_READY_TO_COMMIT=3)",
    "ChromeCompositorStateMachine.MajorState.LayerTreeFrameSinkState("
    "LAYER_TREE_FRAME_UNSPECIFIED=0, LAYER_TREE_FRAME_NONE=1, LAYER_TREE_FRAME_ACTIVE=2,"
    "LAYER_TREE_FRAME_CREATING=3, LAYER_TREE_FRAME_WAITING_FOR_FIRST_COMMIT=4,"
    "LAYER_TREE_FRAME_WAITING_FOR_FIRST_ACTIVATION=5)",
    "ChromeCompositorStateMachine.MajorState.ForcedRedrawOnTimeoutState("
    "FORCED_REDRAW_UNSPECIFIED=0, FORCED_REDRAW_IDLE=1, FORCED_REDRAW_WAITING_FOR_COMMIT=2,"
    "FORCED_REDRAW_WAITING_FOR_ACTIVATION=3, FORCED_REDRAW_WAITING_FOR_DRAW=4)",
    "ChromeCompositorStateMachine.MinorState{commit_count 1:i32, current_frame_number 2:i32,"
    "last_frame_number_submit_performed 3:i32, last_frame_number_draw_performed 4:i32,"
    "last_frame_number_begin_main_frame_sent 5:i32, did_draw 6:bool,"
    "did_send_begin_main_frame_for_current_frame 7:bool,"
    "did_notify_begin_main_frame_not_expected_until 8:bool,"
    "did_notify_begin_main_frame_not_expected_soon 9:bool,"
    "wants_begin_main_frame_not_expected 10:bool, did_commit_during_frame 11:bool,"
    "did_invalidate_layer_tree_frame_sink 12:bool, did_perform_impl_side_invalidaion 13:bool,"
    "did_prepare_tiles 14:bool, consecutive_checkerboard_animations 15:i32,"
    "pending_submit_frames 16:i32, submit_frames_with_current_layer_tree_frame_sink 17:i32,"
    "needs_redraw 18:bool, needs_prepare_tiles 19:bool, needs_begin_main_frame 20:bool,"
    "needs_one_begin_impl_frame 21:bool, visible 22:bool, begin_frame_source_paused 23:bool,"
    "can_draw 24:bool, resourceless_draw 25:bool, has_pending_tree 26:bool,"
    "pending_tree_is_ready_for_activation 27:bool, active_tree_needs_first_draw 28:bool,"
    "active_tree_is_ready_to_draw 29:bool,"
    "did_create_and_initialize_first_layer_tree_frame_sink 30:bool,"
    "tree_priority 31:TreePriority, scroll_handler_state 32:ScrollHandlerState,"
    "critical_begin_main_frame_to_activate_is_fast 33:bool,"
    "main_thread_missed_last_deadline 34:bool, video_needs_begin_frames 36:bool,"
    "defer_begin_main_frame 37:bool, last_commit_had_no_updates 38:bool,"
    "did_draw_in_last_frame 39:bool, did_submit_in_last_frame 40:bool,"
    "needs_impl_side_invalidation 41:bool, current_pending_tree_is_impl_side 42:bool,"
    "previous_pending_tree_was_impl_side 43:bool,"
    "processing_animation_worklets_for_active_tree 44:bool,"
    "processing_animation_worklets_for_pending_tree 45:bool,"
    "processing_paint_worklets_for_pending_tree 46:bool}",
    "ChromeCompositorStateMachine.MinorState.TreePriority(TREE_PRIORITY_UNSPECIFIED=0,"
    "TREE_PRIORITY_SAME_PRIORITY_FOR_BOTH_TREES=1, TREE_PRIORITY_SMOOTHNESS_TAKES_PRIORITY=2,"
    "TREE_PRIORITY_NEW_CONTENT_TAKES_PRIORITY=3)",
    "ChromeCompositorStateMachine.MinorState.ScrollHandlerState(SCROLL_HANDLER_UNSPECIFIED=0,"
    "SCROLL_AFFECTS_SCROLL_HANDLER=1, SCROLL_DOES_NOT_AFFECT_SCROLL_HANDLER=2)",
    "BeginFrameArgs{type 1:BeginFrameArgsType, source_id 2:u64, sequence_number 3:u64,"
    "frame_time_us 4:i64, deadline_us 5:i64, interval_delta_us 6:i64, on_critical_path 7:bool,"
    "animate_only 8:bool, source_location_iid 9:u64, source_location 10:SourceLocation,"
    "frames_throttled_since_last 12:i64}",
    "BeginFrameArgs.BeginFrameArgsType(BEGIN_FRAME_ARGS_TYPE_UNSPECIFIED=0,"
    "BEGIN_FRAME_ARGS_TYPE_INVALID=1, BEGIN_FRAME_ARGS_TYPE_NORMAL=2,"
    "BEGIN_FRAME_ARGS_TYPE_MISSED=3)",
    "BeginImplFrameArgs{updated_at_us 1:i64, finished_at_us 2:i64, state 3:State,"
    "current_args 4:BeginFrameArgs, last_args 5:BeginFrameArgs,"
    "timestamps_in_us 6:TimestampsInUs}",
    "BeginImplFrameArgs.State(BEGIN_FRAME_FINISHED=0, BEGIN_FRAME_USING=1)",
    "BeginImplFrameArgs.TimestampsInUs{interval_delta 1:i64, now_to_deadline_delta 2:i64,"
    "frame_time_to_now_delta 3:i64, frame_time_to_deadline_delta 4:i64, now 5:i64,"
    "frame_time 6:i64, deadline 7:i64}",
    "BeginFrameObserverState{dropped_begin_frame_args 1:i64,"
    "last_begin_frame_args 2:BeginFrameArgs}",
    "BeginFrameSourceState{source_id 1:u32, paused 2:bool, num_observers 3:u32,"
    "last_begin_frame_args 4:BeginFrameArgs}",
    "CompositorTimingHistory{begin_main_frame_queue_critical_estimate_delta_us 1:i64,"
    "begin_main_frame_queue_not_critical_estimate_delta_us 2:i64,"
    "begin_main_frame_start_to_ready_to_commit_estimate_delta_us 3:i64,"
    "commit_to_ready_to_activate_estimate_delta_us 4:i64, prepare_tiles_estimate_delta_us 5:i64,"
    "activate_estimate_delta_us 6:i64, draw_estimate_delta_us 7:i64}",
};

const size_t bundled_messages_count = sizeof bundled_messages / sizeof *bundled_messages;
