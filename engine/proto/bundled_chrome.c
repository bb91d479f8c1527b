#include "engine/proto/bundled.h"

/* Extensions of track events that Chrome writes, and what they hold. */
const char *const bundled_chrome_messages[] = {
    "TrackEvent{chrome_app_state 1000:ChromeAppState, chrome_memory_pressure_notification "
    "1001:ChromeMemoryPressureNotification, chrome_task_annotator 1002:ChromeTaskAnnotator, "
    "chrome_browser_context 1003:ChromeBrowserContext, chrome_profile_destroyer "
    "1004:ChromeProfileDestroyer, chrome_task_posted_to_disabled_queue "
    "1005:ChromeTaskPostedToDisabledQueue, chrome_raster_task 1006:ChromeRasterTask, "
    "chrome_message_pump_for_ui 1007:ChromeMessagePumpForUI, render_frame_impl_deletion "
    "1008:RenderFrameImplDeletion, should_swap_browsing_instances_result "
    "1009:ShouldSwapBrowsingInstancesResult, frame_tree_node_info 1010:FrameTreeNodeInfo, "
    "chrome_hashed_performance_mark 1011:ChromeHashedPerformanceMark, render_process_host "
    "1012:RenderProcessHost, render_process_host_cleanup 1013:RenderProcessHostCleanup, "
    "render_process_host_listener_changed 1014:RenderProcessHostListener, "
    "child_process_launcher_priority 1015:ChildProcessLauncherPriority, resource_bundle "
    "1016:ResourceBundle, chrome_web_app_bad_navigate 1017:ChromeWebAppBadNavigate, "
    "chrome_extension_id 1018:ChromeExtensionId, site_instance 1019:SiteInstance, "
    "render_view_host 1020:RenderViewHost, render_frame_proxy_host "
    "1021:RenderFrameProxyHost, android_view_dump 1022:AndroidViewDump, "
    "parkable_string_compress_in_background 1023:ParkableStringCompressInBackground, "
    "parkable_string_unpark 1024:ParkableStringUnpark, "
    "chrome_sampling_profiler_sample_completed 1025:ChromeSamplingProfilerSampleCollected, "
    "send_begin_mainframe_to_commit_breakdown 1026:SendBeginMainFrameToCommitBreakdown, "
    "global_render_frame_host_id 1027:GlobalRenderFrameHostId, render_frame_host "
    "1028:RenderFrameHost, thread_pool_task 1029:ChromeThreadPoolTask, "
    "back_forward_cache_can_store_document_result "
    "1030:BackForwardCacheCanStoreDocumentResult, renderer_main_thread_task_execution "
    "1031:RendererMainThreadTaskExecution, event_latency 1032:EventLatency, "
    "process_singleton 1033:ProcessSingleton, site_instance_group 1034:SiteInstanceGroup, "
    "browsing_context_state 1035:BrowsingContextState, device_thermal_state "
    "1036:DeviceThermalState, navigation 1037:NavigationHandle, android_ipc 1038:AndroidIPC, "
    "sql_diagnostics 1039:ChromeSqlDiagnostics, sequence_manager_task "
    "1040:SequenceManagerTask, android_toolbar 1041:AndroidToolbar, active_processes "
    "1042:ActiveProcesses, blink_task_scope 1043:BlinkTaskScope, ukm_page_load_timing_update "
    "1044:UkmPageLoadTimingUpdate, tab_switch_measurement 1046:TabSwitchMeasurement, "
    "scroll_deltas 1047:ScrollDeltas, win_render_audio_from_source "
    "1048:WinRenderAudioFromSource, mac_auhal_stream 1049:MacAUHALStream, linux_alsa_output "
    "1050:LinuxAlsaOutput, linux_pulse_output 1051:LinuxPulseOutput, "
    "chrome_graphics_pipeline 1052:ChromeGraphicsPipeline, chromeos_cras_unified "
    "1053:CrasUnified, libunwindstack_unwinder 1054:LibunwindstackUnwinder, "
    "scroll_predictor_metrics 1055:ScrollPredictorMetrics, page_load 1056:PageLoad, startup "
    "1057:StartUp, web_content_interaction 1058:WebContentInteraction, event_forwarder "
    "1059:EventForwarder, touch_disposition_gesture_filter "
    "1060:TouchDispositionGestureFilter, view_class_name 1061:ViewClassName, "
    "cc_scheduler_state 1062:ChromeCompositorSchedulerStateV2, webview_startup "
    "1063:WebViewStartup, animation_frame_timing_info 1064:AnimationFrameTimingInfo, "
    "animation_frame_script_timing_info 1065:AnimationFrameScriptTimingInfo, scroll_metrics "
    "1066:ScrollMetrics, main_frame_pipeline 1067:MainFramePipeline, chrome_latency_info "
    "1068:ChromeLatencyInfo2, event_timing 1069:EventTiming, "
    "android_choreographer_frame_callback_data 1070:AndroidChoreographerFrameCallbackData, "
    "current_task 1071:CurrentTask}",
    "TrackEvent{web_exposed_isolation_info 1072:WebExposedIsolationInfo, url_info "
    "1073:UrlInfo, begin_frame_id 1074:BeginFrameId, frame_reporter "
    "1075:ChromeFrameReporter, input_transfer_handler 1076:InputTransferHandler, "
    "response_info 1077:ResponseInfo, scroll_jank_v4 1078:EventLatency.ScrollJankV4Result, "
    "memory_dump_provider 1079:MemoryDumpProvider, chrome_accessibility_win_notify_win_event "
    "1080:ChromeAccessibilityWinNotifyWinEvent, frame_interval_decider "
    "1081:FrameIntervalDecider, begin_frame_args 1082:BeginFrameArgsV2, mac_voucher_release "
    "1083:MacVoucherRelease}",
    "ChromeAppState(APP_STATE_FOREGROUND=1, APP_STATE_BACKGROUND=2)",
    "MemoryPressureLevel(MEMORY_PRESSURE_LEVEL_NONE=0, MEMORY_PRESSURE_LEVEL_MODERATE=1, "
    "MEMORY_PRESSURE_LEVEL_CRITICAL=2)",
    "ChromeMemoryPressureNotification{level 1:MemoryPressureLevel, creation_location_iid "
    "2:u64}",
    "BlinkTaskScope{type 1:TaskScopeType, scope_task_id 2:i64, "
    "running_task_id_to_be_restored 3:i64}",
    "BlinkTaskScope.TaskScopeType(TASK_SCOPE_UNKNOWN=0, TASK_SCOPE_CALLBACK=1, "
    "TASK_SCOPE_SCHEDULED_ACTION=2, TASK_SCOPE_SCRIPT_EXECUTION=3, "
    "TASK_SCOPE_POST_MESSAGE=4, TASK_SCOPE_POP_STATE=5, TASK_SCOPE_SCHEDULER_POST_TASK=6, "
    "TASK_SCOPE_REQUEST_IDLE_CALLBACK=7, TASK_SCOPE_XML_HTTP_REQUEST=8, "
    "TASK_SCOPE_SOFT_NAVIGATION=9, TASK_SCOPE_MISC_EVENT=10, TASK_SCOPE_MICROTASK=11, "
    "TASK_SCOPE_RESOURCE_TIMING=12, TASK_SCOPE_SCRIPT_TOOL_EXECUTION=13)",
    "ChromeTaskAnnotator{ipc_hash 1:u32, task_delay_us 2:u64, delay_policy 3:DelayPolicy}",
    "ChromeTaskAnnotator.DelayPolicy(FLEXIBLE_NO_SOONER=0, FLEXIBLE_PREFER_EARLY=1, "
    "PRECISE=2)",
    "ChromeBrowserContext{id 2:str}",
    "ChromeProfileDestroyer{profile_ptr 1:fx64, is_off_the_record 2:bool, otr_profile_id "
    "3:str, host_count_at_creation 4:u32, host_count_at_destruction 5:u32, "
    "render_process_host_ptr 6:fx64}",
    "ChromeTaskPostedToDisabledQueue{task_queue_name 1:str, time_since_disabled_ms 2:u64, "
    "ipc_hash 3:u32, source_location_iid 4:u64}",
    "ChromeRasterTask{source_frame_number 1:i64}",
    "ChromeMessagePumpForUI{message_id 1:u32, wait_for_object_result 2:u32}",
    "FrameDeleteIntention(FRAME_DELETE_INTENTION_NOT_MAIN_FRAME=0, "
    "FRAME_DELETE_INTENTION_SPECULATIVE_MAIN_FRAME_FOR_SHUTDOWN=1, "
    "FRAME_DELETE_INTENTION_SPECULATIVE_MAIN_FRAME_FOR_NAVIGATION_CANCELLED=2)",
    "RenderFrameImplDeletion{intent 1:FrameDeleteIntention, has_pending_commit 2:bool, "
    "has_pending_cross_document_commit 3:bool, frame_tree_node_id 4:u64}",
    "ShouldSwapBrowsingInstance(SHOULD_SWAP_BROWSING_INSTANCE_NO=0, "
    "SHOULD_SWAP_BROWSING_INSTANCE_YES_FORCE_SWAP=1, "
    "SHOULD_SWAP_BROWSING_INSTANCE_YES_CROSS_SITE_PROACTIVE_SWAP=2, "
    "SHOULD_SWAP_BROWSING_INSTANCE_YES_SAME_SITE_PROACTIVE_SWAP=3, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_PROACTIVE_SWAP_DISABLED=4, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_NOT_MAIN_FRAME=5, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_HAS_RELATED_ACTIVE_CONTENTS=6, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_DOES_NOT_HAVE_SITE=7, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_SOURCE_URL_SCHEME_NOT_HTTP_OR_HTTPS=8, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_DESTINATION_URL_SCHEME_NOT_HTTP_OR_HTTPS=9, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_SAME_SITE_NAVIGATION=10, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_RELOADING_ERROR_PAGE=11, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_ALREADY_HAS_MATCHING_BROWSING_INSTANCE=12, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_RENDERER_DEBUG_URL=13, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_NOT_NEEDED_FOR_BACK_FORWARD_CACHE=14, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_SAME_DOCUMENT_NAVIGATION=15, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_SAME_URL_NAVIGATION=16, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_WILL_REPLACE_ENTRY=17, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_RELOAD=18, SHOULD_SWAP_BROWSING_INSTANCE_NO_GUEST=19, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_HAS_NOT_COMMITTED_ANY_NAVIGATION=20, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_UNLOAD_HANDLER_EXISTS_ON_SAME_SITE_NAVIGATION=21, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_NOT_PRIMARY_MAIN_FRAME=22, "
    "SHOULD_SWAP_BROWSING_INSTANCE_NO_INITIATOR_REQUESTED_NO_PROACTIVE_SWAP=23)",
    "ShouldSwapBrowsingInstancesResult{frame_tree_node_id 1:u64, result "
    "2:ShouldSwapBrowsingInstance}",
    "FrameTreeNodeInfo{frame_tree_node_id 1:u64, is_main_frame 2:bool, "
    "has_speculative_render_frame_host 3:bool, current_frame_host 4:RenderFrameHost, "
    "speculative_frame_host 5:RenderFrameHost, frame_type 6:FrameType, debug_annotations "
    "99*:DebugAnnotation}",
    "FrameTreeNodeInfo.FrameType(UNSPECIFIED_FRAME_TYPE=0, SUBFRAME=1, PRIMARY_MAIN_FRAME=2, "
    "PRERENDER_MAIN_FRAME=3, FENCED_FRAME_ROOT=4)",
    "ChromeHashedPerformanceMark{site_hash 1:u32, site 2:str, mark_hash 3:u32, mark 4:str, "
    "execution_context_id 5:u32, sequence_number 6:u32}",
    "ChromeSqlDiagnostics{reported_sqlite_error_code 1:i32, error_code 2:i32, last_errno "
    "3:i32, sql_statement 4:str, version 5:i32, schema_sql_rows 6*:str, "
    "schema_other_row_names 7*:str, has_valid_header 8:bool, has_valid_schema 9:bool, "
    "error_message 10:str}",
    "ChromeWebAppBadNavigate{is_kiosk 1:bool, has_hosted_app_controller 2:bool, app_name "
    "3:str, system_app_type 4:u32, web_app_provider_registry_ready 5:bool, "
    "system_web_app_manager_synchronized 6:bool}",
    "ResourceBundle{resource_id 1:u32}",
    "RenderProcessHost{id 1:u32, process_lock 2:str, child_process_id 3:i32, browser_context "
    "4:ChromeBrowserContext, debug_annotations 99*:DebugAnnotation}",
    "RenderProcessHostListener{routing_id 1:u32}",
    "RenderProcessHostCleanup{listener_count 1:u32, keep_alive_ref_count 2:u32, "
    "shutdown_delay_ref_count 3:u32, worker_ref_count 4:u32, pending_reuse_ref_count 5:u32, "
    "navigation_state_keepalive_count 6:u32}",
    "ChildProcessLauncherPriority{is_backgrounded 1:bool, has_pending_views 2:bool, "
    "importance 3:Importance}",
    "ChildProcessLauncherPriority.Importance(IMPORTANCE_NORMAL=1, IMPORTANCE_MODERATE=2, "
    "IMPORTANCE_IMPORTANT=3, IMPORTANCE_PERCEPTIBLE=4, IMPORTANCE_NOT_PERCEPTIBLE=5)",
    "ChromeExtensionId{extension_id 1:str, pseudonymized_extension_id 2:u32}",
    "SiteInstance{site_instance_id 1:i32, browsing_instance_id 2:i32, is_default 3:bool, "
    "has_process 4:bool, related_active_contents_count 5:i32, active_rfh_count 6:i32, "
    "site_instance_group 7:SiteInstanceGroup, process_assignment "
    "8:SiteInstanceProcessAssignment, debug_annotations 99*:DebugAnnotation}",
    "SiteInstance.SiteInstanceProcessAssignment(UNKNOWN=0, REUSED_EXISTING_PROCESS=1, "
    "USED_SPARE_PROCESS=2, CREATED_NEW_PROCESS=3)",
    "SiteInstanceGroup{site_instance_group_id 1:i32, active_frame_count 2:i32, process "
    "3:RenderProcessHost, debug_annotations 99*:DebugAnnotation}",
    "WebExposedIsolationInfo{is_isolated 1:bool, origin 2:str, is_isolated_application "
    "3:bool}",
    "UrlInfo{url 1:str, origin 2:str, is_sandboxed 3:bool, is_pdf 4:bool, "
    "is_coop_isolation_requested 5:bool, origin_isolation_request 6:i32, "
    "is_prefetch_with_cross_site_contamination 7:bool, web_exposed_isolation_info "
    "8:WebExposedIsolationInfo, storage_partition_config 9:str}",
    "RenderViewHost{rvh_map_id 1:i32, routing_id 2:i32, process_id 3:i32, "
    "is_in_back_forward_cache 4:bool, renderer_view_created 5:bool, process "
    "6:RenderProcessHost, debug_annotations 99*:DebugAnnotation}",
    "RenderFrameProxyHost{routing_id 1:i32, process_id 2:i32, rvh_map_id 3:i32, "
    "site_instance_id 4:i32, is_render_frame_proxy_live 5:bool, site_instance_group_id "
    "6:i32, debug_annotations 99*:DebugAnnotation}",
    "AndroidView{id 1:i32, parent_id 2:i32, is_shown 3:bool, is_dirty 4:bool, class_name "
    "5:str, resource_name 6:str}",
    "AndroidActivity{name 1:str, view 2*:AndroidView}",
    "AndroidViewDump{activity 1*:AndroidActivity}",
    "ParkableStringCompressInBackground{size_bytes 1:i32}",
    "ParkableStringUnpark{size_bytes 1:i32, time_since_last_disk_write_sec 2:i32}",
    "ChromeSamplingProfilerSampleCollected{frame_count 1:i32, write_status 2:WriteStatus, "
    "sampled_thread_id 3:i32}",
    "ChromeSamplingProfilerSampleCollected.WriteStatus(WRITE_STATUS_NONE=0, "
    "WRITE_STATUS_BUFFERING_SAMPLE=1, WRITE_STATUS_WRITING_BUFFERED=2, "
    "WRITE_STATUS_WRITING_TO_TRACE=3)",
    "SendBeginMainFrameToCommitBreakdown{handle_input_events_us 1:u64, animate_us 2:u64, "
    "style_update_us 3:u64, layout_update_us 4:u64, prepaint_us 5:u64, compositing_inputs_us "
    "6:u64, compositing_assignments_us 7:u64, paint_us 8:u64, composite_commit_us 9:u64, "
    "update_layers_us 10:u64, begin_main_sent_to_started_us 11:u64, accessibility_update_us "
    "12:u64}",
    "GlobalRenderFrameHostId{routing_id 1:i32, process_id 2:i32}",
    "BrowsingContextState{browsing_instance_id 1:i32, coop_related_group_id 2:i32, "
    "coop_related_group_token 3:str, debug_annotations 99*:DebugAnnotation}",
    "RenderFrameHost{process 1:RenderProcessHost, render_frame_host_id "
    "2:GlobalRenderFrameHostId, lifecycle_state 3:LifecycleState, origin 4:str, url 5:str, "
    "frame_tree_node_id 6:u64, site_instance 7:SiteInstance, parent 8:RenderFrameHost, "
    "outer_document 9:RenderFrameHost, embedder 10:RenderFrameHost, browsing_context_state "
    "11:BrowsingContextState, frame_type 12:FrameTreeNodeInfo.FrameType, debug_annotations "
    "99*:DebugAnnotation}",
    "RenderFrameHost.LifecycleState(UNSPECIFIED=0, SPECULATIVE=1, PENDING_COMMIT=2, "
    "PRERENDERING=3, ACTIVE=4, IN_BACK_FORWARD_CACHE=5, RUNNING_UNLOAD_HANDLERS=6, "
    "READY_TO_BE_DELETED=7)",
    "ChromeThreadPoolTask{task_priority 1:Priority, execution_mode 2:ExecutionMode, "
    "sequence_token 3:i64, shutdown_behavior 4:ShutdownBehavior}",
    "ChromeThreadPoolTask.Priority(PRIORITY_UNSPECIFIED=0, PRIORITY_BEST_EFFORT=1, "
    "PRIORITY_USER_VISIBLE=2, PRIORITY_USER_BLOCKING=3)",
    "ChromeThreadPoolTask.ExecutionMode(EXECTUION_MODE_UNSPECIFIED=0, "
    "EXECUTION_MODE_PARALLEL=1, EXECUTION_MODE_SEQUENCED=2, EXECUTION_MODE_SINGLE_THREAD=3, "
    "EXECUTION_MODE_JOB=4)",
    "ChromeThreadPoolTask.ShutdownBehavior(SHUTDOWN_BEHAVIOR_UNSPECIFIED=0, "
    "SHUTDOWN_BEHAVIOR_CONTINUE_ON_SHUTDOWN=1, SHUTDOWN_BEHAVIOR_SKIP_ON_SHUTDOWN=2, "
    "SHUTDOWN_BEHAVIOR_BLOCK_SHUTDOWN=3)",
    "BackForwardCacheCanStoreDocumentResult{back_forward_cache_not_restored_reason "
    "1:BackForwardCacheNotRestoredReason}",
    ""
    "BackForwardCacheCanStoreDocumentResult.BackForwardCacheNotRestoredReason(NOT_MAIN_FRAME=1, "
    "BACK_FORWARD_CACHE_DISABLED=2, RELATED_ACTIVE_CONTENTS_EXIST=3, HTTP_STATUS_NOT_OK=4, "
    "SCHEME_NOT_HTTP_OR_HTTPS=5, LOADING=6, WAS_GRANTED_MEDIA_ACCESS=7, "
    "BLOCKLISTED_FEATURES=8, DISABLE_FOR_RENDER_FRAME_HOST_CALLED=9, DOMAIN_NOT_ALLOWED=10, "
    "HTTP_METHOD_NOT_GET=11, SUBFRAME_IS_NAVIGATING=12, TIMEOUT=13, CACHE_LIMIT=14, "
    "JAVASCRIPT_EXECUTION=15, RENDERER_PROCESS_KILLED=16, RENDERER_PROCESS_CRASHED=17, "
    "GRANTED_MEDIA_STREAM_ACCESS=19, SCHEDULER_TRACKED_FEATURE_USED=20, "
    "CONFLICTING_BROWSING_INSTANCE=21, CACHE_FLUSHED=22, "
    "SERVICE_WORKER_VERSION_ACTIVATION=23, SESSION_RESTORED=24, UNKNOWN=25, "
    "SERVICE_WORKER_POST_MESSAGE=26, "
    "ENTERED_BACK_FORWARD_CACHE_BEFORE_SERVICE_WORKER_HOST_ADDED=27, "
    "NOT_MOST_RECENT_NAVIGATION_ENTRY=28, SERVICE_WORKER_CLAIM=29, "
    "IGNORE_EVENT_AND_EVICT=30, HAVE_INNER_CONTENTS=31, TIMEOUT_PUTTING_IN_CACHE=32, "
    "BACK_FORWARD_CACHE_DISABLED_BY_LOW_MEMORY=33, "
    "BACK_FORWARD_CACHE_DISABLED_BY_COMMAND_LINE=34, NETWORK_REQUEST_REDIRECTED=35, "
    "NETWORK_REQUEST_TIMEOUT=36, NETWORK_EXCEEDS_BUFFER_LIMIT=37, "
    "NAVIGATION_CANCELLED_WHILE_RESTORING=38, BACK_FORWARD_CACHE_DISABLED_FOR_PRERENDER=39, "
    "USER_AGENT_OVERRIDE_DIFFERS=40, NETWORK_REQUEST_DATAPIPE_DRAINED_AS_BYTES_CONSUMER=41, "
    "FOREGROUND_CACHE_LIMIT=42, BROWSING_INSTANCE_NOT_SWAPPED=43, "
    "BACK_FORWARD_CACHE_DISABLED_FOR_DELEGATE=44, OPT_IN_UNLOAD_HEADER_NOT_PRESENT=45, "
    "UNLOAD_HANDLER_EXISTS_IN_MAIN_FRAME=46, UNLOAD_HANDLER_EXISTS_IN_SUBFRAME=47, "
    "SERVICE_WORKER_UNREGISTRATION=48, CACHE_CONTROL_NO_STORE=49, "
    "CACHE_CONTROL_NO_STORE_COOKIE_MODIFIED=50, "
    "CACHE_CONTROL_NO_STORE_HTTP_ONLY_COOKIE_MODIFIED=51, NO_RESPONSE_HEAD=52, "
    "ERROR_DOCUMENT=54, FENCED_FRAMES_EMBEDDER=55, COOKIE_DISABLED=56, "
    "HTTP_AUTH_REQUIRED=57, COOKIE_FLUSHED=58, BROADCAST_CHANNEL_ON_MESSAGE=59, "
    "SHARED_WORKER_MESSAGE=68, WEB_LOCKS_CONTENTION=70)",
    "RendererMainThreadTaskExecution{task_type 1:TaskType, frame_visible 2:bool, "
    "page_visible 3:bool, frame_type 4:FrameType, is_ad_frame 5:bool}",
    "RendererMainThreadTaskExecution.FrameType(FRAME_TYPE_UNSPECIFIED=0, "
    "FRAME_TYPE_MAIN_FRAME=1, FRAME_TYPE_SAME_ORIGIN_SUBFRAME=2, "
    "FRAME_TYPE_CROSS_ORIGIN_SUBFRAME=3)",
    "RendererMainThreadTaskExecution.TaskType(TASK_TYPE_UNKNOWN=0, "
    "TASK_TYPE_DOM_MANIPULATION=1, TASK_TYPE_USER_INTERACTION=2, TASK_TYPE_NETWORKING=3, "
    "TASK_TYPE_NETWORKING_CONTROL=4, TASK_TYPE_HISTORY_TRAVERSAL=5, TASK_TYPE_EMBED=6, "
    "TASK_TYPE_MEDIA_ELEMENT_EVENT=7, TASK_TYPE_CANVAS_BLOB_SERIALIZATION=8, "
    "TASK_TYPE_MICROTASK=9, TASK_TYPE_JAVASCRIPT_TIMER_DELAYED_HIGH_NESTING=10, "
    "TASK_TYPE_REMOTE_EVENT=11, TASK_TYPE_WEB_SOCKET=12, TASK_TYPE_POSTED_MESSAGE=13, "
    "TASK_TYPE_UNSHIPPED_PORT_MESSAGE=14, TASK_TYPE_FILE_READING=15, "
    "TASK_TYPE_DATABASE_ACCESS=16, TASK_TYPE_PRESENTATION=17, TASK_TYPE_SENSOR=18, "
    "TASK_TYPE_PERFORMANCE_TIMELINE=19, TASK_TYPE_WEB_GL=20, TASK_TYPE_IDLE_TASK=21, "
    "TASK_TYPE_MISC_PLATFORM_API=22, TASK_TYPE_INTERNAL_DEFAULT=23, "
    "TASK_TYPE_INTERNAL_LOADING=24, TASK_TYPE_INTERNAL_TEST=26, "
    "TASK_TYPE_INTERNAL_WEB_CRYPTO=27, TASK_TYPE_INTERNAL_MEDIA=29, "
    "TASK_TYPE_INTERNAL_MEDIA_REALTIME=30, TASK_TYPE_INTERNAL_USER_INTERACTION=32, "
    "TASK_TYPE_INTERNAL_INSPECTOR=33, TASK_TYPE_MAIN_THREAD_TASK_QUEUE_V8=37, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_COMPOSITOR=38, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_DEFAULT=39, TASK_TYPE_MAIN_THREAD_TASK_QUEUE_INPUT=40, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_IDLE=41, TASK_TYPE_MAIN_THREAD_TASK_QUEUE_CONTROL=43, "
    "TASK_TYPE_INTERNAL_INTERSECTION_OBSERVER=44, "
    "TASK_TYPE_COMPOSITOR_THREAD_TASK_QUEUE_DEFAULT=45, "
    "TASK_TYPE_WORKER_THREAD_TASK_QUEUE_DEFAULT=46, "
    "TASK_TYPE_WORKER_THREAD_TASK_QUEUE_V8=47, "
    "TASK_TYPE_WORKER_THREAD_TASK_QUEUE_COMPOSITOR=48, "
    "TASK_TYPE_COMPOSITOR_THREAD_TASK_QUEUE_INPUT=49, "
    "TASK_TYPE_NETWORKING_WITH_URL_LOADER_ANNOTATION=50, TASK_TYPE_WORKER_ANIMATION=51, "
    "TASK_TYPE_INTERNAL_TRANSLATION=55, TASK_TYPE_FONT_LOADING=56, "
    "TASK_TYPE_APPLICATION_LIFECYCLE=57, TASK_TYPE_BACKGROUND_FETCH=58, "
    "TASK_TYPE_PERMISSION=59, TASK_TYPE_SERVICE_WORKER_CLIENT_MESSAGE=60, "
    "TASK_TYPE_INTERNAL_CONTENT_CAPTURE=61, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_MEMORY_PURGE=62, "
    "TASK_TYPE_INTERNAL_NAVIGATION_ASSOCIATED=63, "
    "TASK_TYPE_INTERNAL_NAVIGATION_ASSOCIATED_UNFREEZABLE=64, "
    "TASK_TYPE_INTERNAL_CONTINUE_SCRIPT_LOADING=65, TASK_TYPE_WEB_LOCKS=66, "
    "TASK_TYPE_WEB_SCHEDULING_POSTED_TASK=67, "
    "TASK_TYPE_INTERNAL_FRAME_LIFE_CYCLE_CONTROL=68, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_NON_WAKING=69, TASK_TYPE_INTERNAL_FIND_IN_PAGE=70, "
    "TASK_TYPE_INTERNAL_HIGH_PRIORITY_LOCAL_FRAME=71, "
    "TASK_TYPE_JAVASCRIPT_TIMER_IMMEDIATE=72, "
    "TASK_TYPE_JAVASCRIPT_TIMER_DELAYED_LOW_NESTING=73, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_IPC_TRACKING=74, TASK_TYPE_NETWORKING_UNFREEZABLE=75, "
    "TASK_TYPE_WAKE_LOCK=76, TASK_TYPE_INTERNAL_INPUT_BLOCKING=77, TASK_TYPE_WEB_GPU=78, "
    "TASK_TYPE_INTERNAL_POST_MESSAGE_FORWARDING=79, "
    "TASK_TYPE_INTERNAL_NAVIGATION_CANCELLATION=80, "
    "TASK_TYPE_LOW_PRIORITY_SCRIPT_EXECUTION=81, TASK_TYPE_STORAGE=82, "
    "TASK_TYPE_NETWORKING_UNFREEZABLE_RENDER_BLOCKING_LOADING=83, "
    "TASK_TYPE_MAIN_THREAD_TASK_QUEUE_V8_USER_VISIBLE=84, TASK_TYPE_CLIPBOARD=85, "
    "TASK_TYPE_MACHINE_LEARNING=86, TASK_TYPE_MAIN_THREAD_TASK_QUEUE_V8_BEST_EFFORT=87, "
    "TASK_TYPE_INTERNAL_AUTOFILL=88, TASK_TYPE_BACK_FORWARD_CACHE_POSTED_MESSAGE=89)",
    "EventLatency{event_type 1:EventType, has_high_latency 2:bool, high_latency_stage "
    "3*:str, event_latency_id 4:i64, is_janky_scrolled_frame 5:bool, vsync_interval_ms "
    "6:f64, surface_frame_trace_id 7:i64, display_trace_id 8:i64, is_janky_scrolled_frame_v3 "
    "9:bool, scroll_jank_v4 10:ScrollJankV4Result, scroll_begin_arrival_us 11:i64}",
    "EventLatency.EventType(EVENT_TYPE_UNSPECIFIED=0, MOUSE_PRESSED=1, MOUSE_RELEASED=2, "
    "MOUSE_WHEEL=3, KEY_PRESSED=4, KEY_RELEASED=5, TOUCH_PRESSED=6, TOUCH_RELEASED=7, "
    "TOUCH_MOVED=8, GESTURE_SCROLL_BEGIN=9, GESTURE_SCROLL_UPDATE=10, GESTURE_SCROLL_END=11, "
    "GESTURE_DOUBLE_TAP=12, GESTURE_LONG_PRESS=13, GESTURE_LONG_TAP=14, "
    "GESTURE_SHOW_PRESS=15, GESTURE_TAP=16, GESTURE_TAP_CANCEL=17, GESTURE_TAP_DOWN=18, "
    "GESTURE_TAP_UNCONFIRMED=19, GESTURE_TWO_FINGER_TAP=20, FIRST_GESTURE_SCROLL_UPDATE=21, "
    "MOUSE_DRAGGED=22, GESTURE_PINCH_BEGIN=23, GESTURE_PINCH_END=24, "
    "GESTURE_PINCH_UPDATE=25, INERTIAL_GESTURE_SCROLL_UPDATE=26, MOUSE_MOVED_EVENT=27, "
    "INERTIAL_GESTURE_SCROLL_END=28)",
    "EventLatency.ScrollJankV4Result{is_janky 1:bool, missed_vsyncs_per_jank_reason "
    "2*:MissedVsyncsForJankReason, abs_total_raw_delta_pixels 3:f32, "
    "max_abs_inertial_raw_delta_pixels 4:f32, vsyncs_since_previous_frame 5:i32, "
    "running_delivery_cutoff_us 6:i64, adjusted_delivery_cutoff_us 7:i64, "
    "current_delivery_cutoff_us 8:i64, is_damaging_frame 9:bool, updates 10:ScrollUpdates, "
    "damage_type 11:DamageType, vsync_interval_us 12:i64, result_id 13:i64, "
    "frame_stage_calculation 14:FrameStageCalculation}",
    "EventLatency.ScrollJankV4Result.JankReason(JANK_REASON_UNSPECIFIED=0, "
    "MISSED_VSYNC_DUE_TO_DECELERATING_INPUT_FRAME_DELIVERY=1, "
    "MISSED_VSYNC_DURING_FAST_SCROLL=2, MISSED_VSYNC_AT_START_OF_FLING=3, "
    "MISSED_VSYNC_DURING_FLING=4)",
    "EventLatency.ScrollJankV4Result.MissedVsyncsForJankReason{jank_reason 1:JankReason, "
    "missed_vsyncs 2:i32}",
    "EventLatency.ScrollJankV4Result.ScrollUpdates{real 1:Real, synthetic 2:Synthetic, "
    "first_scroll_update_type 3:FirstScrollUpdateType, scroll_begin_arrival_us 4:i64}",
    "EventLatency.ScrollJankV4Result.ScrollUpdates.Real{first_event_latency_id 1:i64, "
    "abs_total_raw_delta_pixels 2:f32, max_abs_inertial_raw_delta_pixels 3:f32}",
    "EventLatency.ScrollJankV4Result.ScrollUpdates.Synthetic{first_event_latency_id 1:i64, "
    "has_inertial_input 2:bool}",
    "EventLatency.ScrollJankV4Result.ScrollUpdates.FirstScrollUpdateType(UNKNOWN=0, REAL=1, "
    "SYNTHETIC_WITH_EXTRAPOLATED_INPUT_GENERATION_TIMESTAMP=2, "
    "SYNTHETIC_WITHOUT_EXTRAPOLATED_INPUT_GENERATION_TIMESTAMP=3)",
    "EventLatency.ScrollJankV4Result.DamageType(UNKNOWN=0, DAMAGING=1, "
    "NON_DAMAGING_WITH_EXTRAPOLATED_PRESENTATION_TIMESTAMP=2, "
    "NON_DAMAGING_WITHOUT_EXTRAPOLATED_PRESENTATION_TIMESTAMP=3)",
    "EventLatency.ScrollJankV4Result.FrameStageCalculation{current_scroll_begin_arrival_us "
    "1:i64, has_seen_in_current_scroll 2:HasSeen}",
    "EventLatency.ScrollJankV4Result.FrameStageCalculation.HasSeen(UNKNOWN=0, NO_UPDATES=1, "
    "ONE_OR_MORE_UPDATES=2, END=3)",
    "ProcessSingleton{remote_process_interaction_result 1:RemoteProcessInteractionResult, "
    "remote_process_terminate_reason 2:RemoteHungProcessTerminateReason}",
    "ProcessSingleton.RemoteProcessInteractionResult(INTERACTION_RESULT_UNSPECIFIED=0, "
    "TERMINATE_FAILED=1, REMOTE_PROCESS_NOT_FOUND=2, TERMINATE_WAIT_TIMEOUT=3, "
    "RUNNING_PROCESS_NOTIFY_ERROR=4, TERMINATE_NOT_ENOUGH_PERMISSIONS=5, "
    "REMOTE_PROCESS_SHUTTING_DOWN=6, PROFILE_UNLOCKED=7, PROFILE_UNLOCKED_BEFORE_KILL=8, "
    "SAME_BROWSER_INSTANCE=9, SAME_BROWSER_INSTANCE_BEFORE_KILL=10, "
    "FAILED_TO_EXTRACT_PID=11, INVALID_LOCK_FILE=12, ORPHANED_LOCK_FILE=13, "
    "USER_REFUSED_TERMINATION=14, TERMINATE_SUCCEEDED=100)",
    "ProcessSingleton.RemoteHungProcessTerminateReason(TERMINATE_REASON_UNSPECIFIED=0, "
    "USER_ACCEPTED_TERMINATION=1, NO_VISIBLE_WINDOW_FOUND=2, NOTIFY_ATTEMPTS_EXCEEDED=3, "
    "SOCKET_WRITE_FAILED=4, SOCKET_READ_FAILED=5)",
    "NavigationHandle{navigation_id 1:i64, has_committed 2:bool, is_error_page 3:bool, "
    "frame_tree_node 4:FrameTreeNodeInfo, render_frame_host 5:RenderFrameHost, "
    "debug_annotations 99*:DebugAnnotation}",
    "DeviceThermalState(DEVICE_THERMAL_STATE_UNKNOWN=0, DEVICE_THERMAL_STATE_NOMINAL=1, "
    "DEVICE_THERMAL_STATE_FAIR=2, DEVICE_THERMAL_STATE_SERIOUS=3, "
    "DEVICE_THERMAL_STATE_CRITICAL=4)",
    "AndroidIPC{name 1:str, dur_ms 2:i64}",
    "SequenceManagerTask{priority 1:Priority, queue_name 2:QueueName}",
    "SequenceManagerTask.Priority(UNKNOWN=0, CONTROL_PRIORITY=1, HIGHEST_PRIORITY=2, "
    "VERY_HIGH_PRIORITY=3, HIGH_PRIORITY=4, NORMAL_PRIORITY=5, LOW_PRIORITY=6, "
    "BEST_EFFORT_PRIORITY=7, HIGH_PRIORITY_CONTINUATION=8, NORMAL_PRIORITY_CONTINUATION=9, "
    "LOW_PRIORITY_CONTINUATION=10, EXTREMELY_HIGH_PRIORITY=11, MEDIUM_PRIORITY=12, "
    "LOWEST_PRIORITY=13, IDLE_PRIORITY=14, THROTTLED_PRIORITY=15)",
    "SequenceManagerTask.QueueName(UNKNOWN_TQ=0, DEFAULT_TQ=1, "
    "TASK_ENVIRONMENT_DEFAULT_TQ=2, TEST2_TQ=3, TEST_TQ=4, CONTROL_TQ=5, "
    "SUBTHREAD_CONTROL_TQ=6, SUBTHREAD_DEFAULT_TQ=7, SUBTHREAD_INPUT_TQ=8, "
    "UI_BEST_EFFORT_TQ=9, UI_BOOTSTRAP_TQ=10, UI_CONTROL_TQ=11, UI_DEFAULT_TQ=12, "
    "UI_NAVIGATION_NETWORK_RESPONSE_TQ=13, UI_RUN_ALL_PENDING_TQ=14, "
    "UI_SERVICE_WORKER_STORAGE_CONTROL_RESPONSE_TQ=15, UI_THREAD_TQ=16, "
    "UI_USER_BLOCKING_TQ=17, UI_USER_INPUT_TQ=18, UI_USER_VISIBLE_TQ=19, "
    "IO_BEST_EFFORT_TQ=20, IO_BOOTSTRAP_TQ=21, IO_CONTROL_TQ=22, IO_DEFAULT_TQ=23, "
    "IO_NAVIGATION_NETWORK_RESPONSE_TQ=24, IO_RUN_ALL_PENDING_TQ=25, "
    "IO_SERVICE_WORKER_STORAGE_CONTROL_RESPONSE_TQ=26, IO_THREAD_TQ=27, "
    "IO_USER_BLOCKING_TQ=28, IO_USER_INPUT_TQ=29, IO_USER_VISIBLE_TQ=30, COMPOSITOR_TQ=31, "
    "DETACHED_TQ=32, FRAME_DEFERRABLE_TQ=33, FRAME_LOADING_CONTROL_TQ=34, "
    "FRAME_LOADING_TQ=35, FRAME_PAUSABLE_TQ=36, FRAME_THROTTLEABLE_TQ=37, "
    "FRAME_UNPAUSABLE_TQ=38, IDLE_TQ=39, INPUT_TQ=40, IPC_TRACKING_FOR_CACHED_PAGES_TQ=41, "
    "NON_WAKING_TQ=42, OTHER_TQ=43, V8_TQ=44, WEB_SCHEDULING_TQ=45, WORKER_IDLE_TQ=46, "
    "WORKER_PAUSABLE_TQ=47, WORKER_THREAD_INTERNAL_TQ=48, WORKER_THROTTLEABLE_TQ=49, "
    "WORKER_UNPAUSABLE_TQ=50, WORKER_WEB_SCHEDULING_TQ=51, "
    "UI_USER_BLOCKING_DEFERRABLE_TQ=52, IO_USER_BLOCKING_DEFERRABLE_TQ=53, "
    "UI_BEFORE_UNLOAD_BROWSER_RESPONSE_TQ=54, IO_BEFORE_UNLOAD_BROWSER_RESPONSE_TQ=55, "
    "V8_USER_VISIBLE_TQ=56, V8_BEST_EFFORT_TQ=57, NETWORK_SERVICE_THREAD_HIGH_TQ=58, "
    "NETWORK_SERVICE_THREAD_DEFAULT_TQ=59, UI_STARTUP_TQ=60, IO_STARTUP_TQ=61, "
    "NETWORK_SERVICE_THREAD_THROTTLED_TQ=62, NETWORK_SERVICE_THREAD_IDLE_TQ=63, "
    "NETWORK_SERVICE_THREAD_LOWEST_TQ=64, NETWORK_SERVICE_THREAD_LOW_TQ=65, "
    "NETWORK_SERVICE_THREAD_MEDIUM_TQ=66, NETWORK_SERVICE_THREAD_HIGHEST_TQ=67)",
    "AndroidToolbar{block_capture_reason 1:BlockCaptureReason, allow_capture_reason "
    "2:AllowCaptureReason, snapshot_difference 3:SnapshotDifference}",
    "AndroidToolbar.BlockCaptureReason(BLOCKED_UNKNOWN=0, BLOCKED_TOOLBAR_OR_RESULT_NULL=1, "
    "BLOCKED_VIEW_NOT_DIRTY=2, BLOCKED_SNAPSHOT_SAME=3, BLOCKED_URL_BAR_HAS_FOCUS=4, "
    "BLOCKED_URL_BAR_FOCUS_IN_PROGRESS=5, BLOCKED_OPTIONAL_BUTTON_ANIMATION_IN_PROGRESS=6, "
    "BLOCKED_STATUS_ICON_ANIMATION_IN_PROGRESS=7, BLOCKED_SCROLL_ABLATION=8, "
    "BLOCKED_BROWSER_CONTROLS_LOCKED=9, BLOCKED_TAB_SWITCHER_MODE=10, "
    "BLOCKED_COMPOSITOR_IN_MOTION=11, BLOCKED_NTP_Y_TRANSLATION=12, BLOCKED_FULLSCREEN=13, "
    "BLOCKED_TABLET_BUTTON_ANIMATION_IN_PROGRESS=14, BLOCKED_LAYOUT_REQUESTED=15)",
    "AndroidToolbar.AllowCaptureReason(ALLOWED_UNKNOWN=0, ALLOWED_FORCE_CAPTURE=1, "
    "ALLOWED_SNAPSHOT_DIFFERENCE=2)",
    "AndroidToolbar.SnapshotDifference(DIFF_NONE=0, DIFF_NULL=1, DIFF_TINT=2, "
    "DIFF_TAB_COUNT=3, DIFF_OPTIONAL_BUTTON=4, DIFF_VISUAL_STATE=5, DIFF_SECURITY_ICON=6, "
    "DIFF_SHOWING_UPDATE_BADGE=7, DIFF_PAINT_PREVIEW=8, DIFF_PROGRESS=9, "
    "DIFF_LOCATION_BAR_WIDTH=10, DIFF_URL_TEXT=11, DIFF_HOME_BUTTON=12, DIFF_TITLE_TEXT=13, "
    "DIFF_CCT_ANIMATION=14, DIFF_BOOKMARK_BUTTON=15, DIFF_BACK_BUTTON=16, "
    "DIFF_FORWARD_BUTTON=17, DIFF_RELOAD_BUTTON=18)",
    "ActiveProcesses{pid 1*:i32}",
    "UkmPageLoadTimingUpdate{ukm_source_id 1:i64, latest_url 2:str, "
    "latest_cumulative_layout_shift 3:f32, latest_largest_contentful_paint_ms 4:f64, "
    "first_contentful_paint_ms 5:f64}",
    "TabSwitchMeasurement{result 1:Result, tab_state 2:TabState}",
    "TabSwitchMeasurement.Result(RESULT_UNSPECIFIED=0, RESULT_SUCCESS=1, "
    "RESULT_INCOMPLETE=2, RESULT_MISSED_TAB_HIDE=3)",
    "TabSwitchMeasurement.TabState(STATE_UNSPECIFIED=0, STATE_WITH_SAVED_FRAMES=1, "
    "STATE_LOADED_NO_SAVED_FRAMES=2, STATE_NOT_LOADED_NO_SAVED_FRAMES=3)",
    "ScrollDeltas{trace_id 1:i64, original_delta_x 2:f32, original_delta_y 3:f32, "
    "coalesced_to_trace_id 4:i64, provided_to_compositor_delta_x 5:f32, "
    "provided_to_compositor_delta_y 6:f32, visual_offset_x 7:i64, visual_offset_y 8:i64, "
    "event_count_in_gpu_frame 9:i32, trace_ids_in_gpu_frame 10*:i64, "
    "original_delta_in_gpu_frame_y 11:f32, predicted_delta_in_gpu_frame_y 12:f32, "
    "segregated_original_deltas_in_gpu_frame_y 13*:f32, "
    "segregated_predicted_deltas_in_gpu_frame_y 14*:f32, did_overscroll_root 15:bool, "
    "unused_delta_x 16:f32, unused_delta_y 17:f32}",
    "WinRenderAudioFromSource{iaudioclient_buffer_size_frames 1:u32, "
    "iaudioclient_buffer_unfilled_frames 2:u32, packet_size_frames 3:u32, num_written_frames "
    "4:u64, num_played_out_frames 5:u64, iaudioclock_device_frequency 6:u64, "
    "iaudioclock_stream_position 7:u64, iaudioclock_qpc_position 8:u64, "
    "iaudioclock_stream_position_increase_ms 9:i64, iaudioclock_qpc_position_increase_ms "
    "10:i64, playout_delay_ms 11:i64}",
    "MacAUHALStream{input_buffer_size 1:i32, output_buffer_size 2:u32, sample_rate 3:i32, "
    "os_request_playout_timeticks_us 4:i64, source_request_frames 5:i32, "
    "source_request_playout_delay_us 6:i64, source_request_playout_timeticks_us 7:i64, "
    "source_request_current_timeticks_us 8:i64, hardware_latency_us 9:i64, "
    "audiotimestamp_host_time_valid 10:bool, audiotimestamp_mach_timeticks_us 11:i64, "
    "audiotimestamp_sample_time_frames 12:f64, audiotimestamp_last_sample_time_frames "
    "13:f64, lost_audio_duration_us 14:i64}",
    "LinuxAlsaOutput{source_request_playout_delay_us 1:i64, forward_bytes 2:i32, sample_rate "
    "3:i32, getcurrentdelay_pcm_delay_frames 4:i32, getcurrentdelay_alsa_buffer_frames "
    "5:i32, getcurrentdelay_available_frames 6:i32, getcurrentdelay_final_delay_frames 7:i32}",
    "LinuxPulseOutput{source_request_playout_delay_us 1:i64, sample_rate 2:i32, "
    "input_buffer_size_frames 3:i32, stream_request_bytes 4:u32, frame_size_bytes 5:u32}",
    "CrasUnified{underrun_duration_us 1:i64, last_underrun_duration_us 2:i64, "
    "underrun_glitch_duration_us 3:i64, latency_us 4:i64, requested_frames 5:i32, "
    "filled_frames 6:u32, sample_rate 7:i32}",
    "ChromeUnguessableToken{low_token 1:u64, high_token 2:u64}",
    "FrameSinkId{frame_sink_client_id 1:u32, frame_sink_id 2:u32}",
    "LocalSurfaceId{parent_sequence_number 1:u32, child_sequence_number 2:u32, "
    "unguessable_token 3:ChromeUnguessableToken}",
    "ChromeGraphicsPipeline{step 1:StepName, frame_sink_id 2:FrameSinkId, display_trace_id "
    "3:i64, local_surface_id 4:LocalSurfaceId, frame_sequence 5:i64, frame_skipped_reason "
    "6:FrameSkippedReason, backend_frame_id 7:i64, aggregated_surface_frame_trace_ids "
    "8*:i64, latency_ids 9*:i64, surface_frame_trace_id 10:i64}",
    "ChromeGraphicsPipeline.StepName(STEP_UNKNOWN=0, STEP_DID_NOT_PRODUCE_FRAME=1, "
    "STEP_GENERATE_COMPOSITOR_FRAME=2, STEP_GENERATE_RENDER_PASS=3, "
    "STEP_ISSUE_BEGIN_FRAME=4, STEP_RECEIVE_COMPOSITOR_FRAME=5, STEP_RECEIVE_BEGIN_FRAME=6, "
    "STEP_RECEIVE_BEGIN_FRAME_DISCARD=7, STEP_SEND_BEGIN_MAIN_FRAME=8, "
    "STEP_SUBMIT_COMPOSITOR_FRAME=9, STEP_SURFACE_AGGREGATION=10, STEP_SEND_BUFFER_SWAP=11, "
    "STEP_BUFFER_SWAP_POST_SUBMIT=12, STEP_FINISH_BUFFER_SWAP=13, STEP_SWAP_BUFFERS_ACK=14, "
    "STEP_EXO_CONSTRUCT_COMPOSITOR_FRAME=15, STEP_EXO_SUBMIT_COMPOSITOR_FRAME=16, "
    "STEP_EXO_DISCARD_COMPOSITOR_FRAME=17, STEP_BACKEND_SEND_BUFFER_SWAP=18, "
    "STEP_BACKEND_SEND_BUFFER_POST_SUBMIT=19, STEP_BACKEND_FINISH_BUFFER_SWAP=20, "
    "STEP_DRAW_AND_SWAP=21, STEP_DID_NOT_PRODUCE_COMPOSITOR_FRAME=22, "
    "STEP_SEND_ON_BEGIN_FRAME_MOJO_MESSAGE=23, "
    "STEP_SEND_ON_STANDALONE_BEGIN_FRAME_MOJO_MESSAGE=24, "
    "STEP_SEND_SUBMIT_COMPOSITOR_FRAME_MOJO_MESSAGE=25)",
    "ChromeGraphicsPipeline.FrameSkippedReason(SKIPPED_REASON_UNKNOWN=0, "
    "SKIPPED_REASON_RECOVER_LATENCY=1, SKIPPED_REASON_NO_DAMAGE=2, "
    "SKIPPED_REASON_WAITING_ON_MAIN=3, SKIPPED_REASON_DRAW_THROTTLED=4)",
    "LibunwindstackUnwinder{error_code 1:ErrorCode, num_frames 2:i32}",
    "LibunwindstackUnwinder.ErrorCode(ERROR_NONE=0, ERROR_MEMORY_INVALID=1, "
    "ERROR_UNWIND_INFO=2, ERROR_UNSUPPORTED=3, ERROR_INVALID_MAP=4, "
    "ERROR_MAX_FRAMES_EXCEEDED=5, ERROR_REPEATED_FRAME=6, ERROR_INVALID_ELF=7, "
    "ERROR_THREAD_DOES_NOT_EXIST=8, ERROR_THREAD_TIMEOUT=9, ERROR_SYSTEM_CALL=10, "
    "ERROR_BAD_ARCH=11, ERROR_MAPS_PARSE=12, ERROR_INVALID_PARAMETER_LIBUNWINDSTACK=13, "
    "ERROR_PTRACE_CALL=14)",
    "ScrollPredictorMetrics{prev_event_frame_value 1:EventFrameValue, cur_event_frame_value "
    "2:EventFrameValue, next_event_frame_value 3:EventFrameValue, janky_value_pixels 4:f32, "
    "has_missed_vsyncs 5:bool, is_slow_scroll 6:bool}",
    "ScrollPredictorMetrics.EventFrameValue{event_trace_id 1:i64, delta_value_pixels 2:f32}",
    "PageLoad{navigation_id 1:i64, url 2:str}",
    "StartUp{activity_id 1:i64, launch_cause 3:LaunchCauseType}",
    "StartUp.LaunchCauseType(UNINITIALIZED=-1, OTHER=0, CUSTOM_TAB=1, TWA=2, RECENTS=3, "
    "RECENTS_OR_BACK=4, FOREGROUND_WHEN_LOCKED=5, MAIN_LAUNCHER_ICON=6, "
    "MAIN_LAUNCHER_ICON_SHORTCUT=7, HOME_SCREEN_WIDGET=8, OPEN_IN_BROWSER_FROM_MENU=9, "
    "EXTERNAL_SEARCH_ACTION_INTENT=10, NOTIFICATION=11, EXTERNAL_VIEW_INTENT=12, "
    "OTHER_CHROME=13, WEBAPK_CHROME_DISTRIBUTOR=14, WEBAPK_OTHER_DISTRIBUTOR=15, "
    "HOME_SCREEN_SHORTCUT=16, SHARE_INTENT=17, NFC=18, AUTH_TAB=19, RECREATION=20, "
    "HANDOFF=21, DEV_TOOLS=22)",
    "WebContentInteraction{type 1:Type}",
    "WebContentInteraction.Type(INTERACTION_UNSPECIFIED=0, INTERACTION_KEYBOARD=1, "
    "INTERACTION_CLICK_TAP=2, INTERACTION_DRAG=3)",
    "ScrollMetrics{frame_count 1:i64, vsync_count 2:i64, missed_vsync_max 3:i64, "
    "missed_vsync_sum 4:i64, delayed_frame_count 5:i64, predictor_janky_frame_count 6:i64}",
    "EventForwarder{history_size 1:i32, oldest_time_ns 2:i64, x_pixel 3:f32, y_pixel 4:f32, "
    "latest_time_ns 5:i64, has_x_movement 6:bool, has_y_movement 7:bool, down_time_ns 8:i64, "
    "action 9:AMotionEventAction, verified_event 10:bool}",
    "EventForwarder.AMotionEventAction(AMOTION_EVENT_ACTION_DOWN=0, "
    "AMOTION_EVENT_ACTION_UP=1, AMOTION_EVENT_ACTION_MOVE=2, AMOTION_EVENT_ACTION_CANCEL=3, "
    "AMOTION_EVENT_ACTION_OUTSIDE=4, AMOTION_EVENT_ACTION_POINTER_DOWN=5, "
    "AMOTION_EVENT_ACTION_POINTER_UP=6, AMOTION_EVENT_ACTION_HOVER_MOVE=7, "
    "AMOTION_EVENT_ACTION_SCROLL=8, AMOTION_EVENT_ACTION_HOVER_ENTER=9, "
    "AMOTION_EVENT_ACTION_HOVER_EXIT=10, AMOTION_EVENT_ACTION_BUTTON_PRESS=11, "
    "AMOTION_EVENT_ACTION_BUTTON_RELEASE=12)",
    "TouchDispositionGestureFilter{gesture_count 1:i32}",
    "ViewClassName{name 1:str}",
    "WebViewStartup{from_ui_thread 1:bool, start_call_site 2:i32, finish_call_site 3:i32, "
    "startup_mode 4:StartupMode}",
    "WebViewStartup.StartupMode(FULLY_SYNC=0, FULLY_ASYNC=1, PARTIAL_ASYNC_THEN_SYNC=2, "
    "ASYNC_BUT_FULLY_SYNC=3)",
    "AnimationFrameTimingInfo{blocking_duration_ms 1:i64, duration_ms 2:i64, num_scripts "
    "3:i64, begin_frame_id 4:BeginFrameId}",
    "AnimationFrameScriptTimingInfo{style_duration_ms 1:i64, layout_duration_ms 2:i64, "
    "pause_duration_ms 3:i64, class_like_name 4:str, property_like_name 5:str, "
    "source_location_url 6:str, source_location_function_name 7:str, "
    "source_location_char_position 8:i64, invoker_type 9:InvokerType, third_party_technology "
    "10:ThirdPartyTechnology}",
    "AnimationFrameScriptTimingInfo.InvokerType(UNDEFINED=0, CLASSIC_SCRIPT=1, "
    "MODULE_SCRIPT=2, USER_CALLBACK=3, EVENT_HANDLER=4, PROMISE_RESOLVE=5, PROMISE_REJECT=6)",
    "AnimationFrameScriptTimingInfo.ThirdPartyTechnology(UNSPECIFIED=0, NONE=1, "
    "WORD_PRESS=2, GOOGLE_ANALYTICS=3, GOOGLE_FONT_API=4, GOOGLE_TAG_MANAGER=5, "
    "GOOGLE_MAPS=6, META_PIXEL=7, YOUTUBE=8, ADOBE_ANALYTICS=9, TIKTOK_PIXEL=10, HOTJAR=11, "
    "GOOGLE_ADSENSE=12, GOOGLE_PUBLISHER_TAG=13, GOOGLE_ADS_LIBRARIES=14, "
    "FUNDING_CHOICES=15, ELEMENTOR=16, SLIDER_REVOLUTION=17)",
    "BeginFrameId{source_id 1:u64, sequence_number 2:u64}",
    "MainFramePipeline{main_frame_id 1:u64, step 2:Step, begin_frame_id 3:BeginFrameId, "
    "aborted_on_main_reason 4:AbortedOnMainReason, last_begin_frame_id_during_first_draw "
    "5:BeginFrameId}",
    "MainFramePipeline.Step(UNKNOWN=0, SEND_BEGIN_MAIN_FRAME=1, BEGIN_MAIN_FRAME=2, "
    "ABORTED_ON_MAIN=3, COMMIT_ON_MAIN=4, READY_TO_COMMIT_ON_IMPL=5, COMMIT_ON_IMPL=6, "
    "COMMIT_COMPLETE=7, READY_TO_ACTIVATE=8, ACTIVATE=9, DRAW=10, UPDATE_DISPLAY_TREE=11)",
    "MainFramePipeline.AbortedOnMainReason(ABORTED_MAIN_REASON_UNKNOWN=0, NOT_VISIBLE=1, "
    "DEFERRED_UPDATE=2, DEFERRED_COMMIT_ABORTED=3, NO_UPDATE=4)",
    "CurrentTask{event_offset_from_task_start_time_us 1:u64, task_start_time_us 2:u64, "
    "task_queueing_time_us 3:u64, task_queued_time_us 4:u64}",
    "ChromeLatencyInfo2{trace_id 1:i64, step 2:Step, frame_tree_node_id 3:i32, "
    "component_info 4*:ChromeLatencyInfo.ComponentInfo, is_coalesced 5:bool, "
    "gesture_scroll_id 6:i64, touch_id 7:i64, input_type 8:InputType, input_result_state "
    "9:InputResultState, coalesced_trace_ids 10*:i64}",
    "ChromeLatencyInfo2.Step(STEP_UNSPECIFIED=0, STEP_HANDLE_INPUT_EVENT_MAIN_COMMIT=1, "
    "STEP_MAIN_THREAD_SCROLL_UPDATE=2, STEP_SEND_INPUT_EVENT_UI=3, "
    "STEP_HANDLE_INPUT_EVENT_MAIN=4, STEP_HANDLE_INPUT_EVENT_IMPL=5, STEP_SWAP_BUFFERS=6, "
    "STEP_DRAW_AND_SWAP=7, STEP_DID_HANDLE_INPUT_AND_OVERSCROLL=8, "
    "STEP_HANDLED_INPUT_EVENT_MAIN_OR_IMPL=9, STEP_HANDLED_INPUT_EVENT_IMPL=10, "
    "STEP_FINISHED_SWAP_BUFFERS=11, STEP_TOUCH_EVENT_HANDLED=12, "
    "STEP_GESTURE_EVENT_HANDLED=13, STEP_RESAMPLE_SCROLL_EVENTS=14, "
    "STEP_SEND_DISPATCH_EVENT_MOJO_MESSAGE=15)",
    "ChromeLatencyInfo2.InputType(UNDEFINED_EVENT=0, MOUSE_DOWN_EVENT=1, MOUSE_UP_EVENT=2, "
    "MOUSE_MOVE_EVENT=3, MOUSE_ENTER_EVENT=4, MOUSE_LEAVE_EVENT=5, CONTEXT_MENU_EVENT=6, "
    "MOUSE_WHEEL_EVENT=7, RAW_KEY_DOWN_EVENT=8, KEY_DOWN_EVENT=9, KEY_UP_EVENT=10, "
    "CHAR_EVENT=11, GESTURE_SCROLL_BEGIN_EVENT=12, GESTURE_SCROLL_END_EVENT=13, "
    "GESTURE_SCROLL_UPDATE_EVENT=14, GESTURE_FLING_START_EVENT=15, "
    "GESTURE_FLING_CANCEL_EVENT=16, GESTURE_PINCH_BEGIN_EVENT=17, "
    "GESTURE_PINCH_END_EVENT=18, GESTURE_PINCH_UPDATE_EVENT=19, GESTURE_BEGIN_EVENT=20, "
    "GESTURE_TAP_DOWN_EVENT=21, GESTURE_SHOW_PRESS_EVENT=22, GESTURE_TAP_EVENT=23, "
    "GESTURE_TAP_CANCEL_EVENT=24, GESTURE_SHORT_PRESS_EVENT=25, GESTURE_LONG_PRESS_EVENT=26, "
    "GESTURE_LONG_TAP_EVENT=27, GESTURE_TWO_FINGER_TAP_EVENT=28, "
    "GESTURE_TAP_UNCONFIRMED_EVENT=29, GESTURE_DOUBLE_TAP_EVENT=30, GESTURE_END_EVENT=31, "
    "TOUCH_START_EVENT=32, TOUCH_MOVE_EVENT=33, TOUCH_END_EVENT=34, TOUCH_CANCEL_EVENT=35, "
    "TOUCH_SCROLL_STARTED_EVENT=36, POINTER_DOWN_EVENT=37, POINTER_UP_EVENT=38, "
    "POINTER_MOVE_EVENT=39, POINTER_RAW_UPDATE_EVENT=40, POINTER_CANCEL_EVENT=41, "
    "POINTER_CAUSED_UA_ACTION_EVENT=42)",
    "ChromeLatencyInfo2.InputResultState(UNKNOWN=0, CONSUMED=1, NOT_CONSUMED=2, "
    "NO_CONSUMER_EXISTS=3, IGNORED=4, SET_NON_BLOCKING=5, SET_NON_BLOCKING_DUE_TO_FLING=6)",
    "EventTiming{cancelable 1:bool, frame 2:str, interaction_id 3:u32, interaction_offset "
    "4:u32, node_id 5:i64, key_code 6:i64, pointer_id 7:i32, fallback_time_us 8:u64, type "
    "9:EventType}",
    "EventTiming.EventType(UNDEFINED=0, AUX_CLICK_EVENT=1, CLICK_EVENT=2, "
    "CONTEXT_MENU_EVENT=3, DOUBLE_CLICK_EVENT=4, MOUSE_DOWN_EVENT=5, MOUSE_ENTER_EVENT=6, "
    "MOUSE_LEAVE_EVENT=7, MOUSE_OUT_EVENT=9, MOUSE_OVER_EVENT=10, MOUSE_UP_EVENT=11, "
    "POINTER_OVER_EVENT=12, POINTER_ENTER_EVENT=13, POINTER_DOWN_EVENT=14, "
    "POINTER_UP_EVENT=15, POINTER_CANCEL_EVENT=16, POINTER_OUT_EVENT=17, "
    "POINTER_LEAVE_EVENT=18, GOT_POINTER_CAPTURE_EVENT=19, LOST_POINTER_CAPTURE_EVENT=20, "
    "TOUCH_START_EVENT=21, TOUCH_END_EVENT=22, TOUCH_CANCEL_EVENT=23, KEY_DOWN_EVENT=24, "
    "KEY_PRESS_EVENT=25, KEY_UP_EVENT=26, BEFORE_INPUT_EVENT=27, INPUT_EVENT=28, "
    "COMPOSITION_START_EVENT=29, COMPOSITION_UPDATE_EVENT=30, COMPOSITION_END_EVENT=31, "
    "DRAG_START_EVENT=32, DRAG_END_EVENT=33, DRAG_ENTER_EVENT=34, DRAG_LEAVE_EVENT=35, "
    "DRAG_OVER_EVENT=36, DROP_EVENT=37, NAVIGATE_EVENT=38, POPSTATE_EVENT=39, "
    "HASHCHANGE_EVENT=40)",
    "AndroidChoreographerFrameCallbackData{frame_time_us 1:i64, frame_timeline "
    "2*:FrameTimeline, preferred_frame_timeline_index 3:i64, chrome_preferred_frame_timeline "
    "4:FrameTimeline}",
    "AndroidChoreographerFrameCallbackData.FrameTimeline{vsync_id 1:i64, latch_delta_us "
    "2:i64, present_delta_us 3:i64}",
    "InputTransferHandler{transfer_result 1:TransferInputToVizResult, "
    "browser_sequence_dropped_reason 2:InputOnVizSequenceDroppedReason, "
    "viz_sequence_dropped_reason 3:VizSequenceDroppedReason, top_controls_offset "
    "4:TopControlsOffset}",
    "InputTransferHandler.TopControlsOffset{viz_y_offset_px 1:f32, browser_y_offset_px 2:f32}",
    "InputTransferHandler.TransferInputToVizResult(UNKNOWN=0, SUCCESSFULLY_TRANSFERRED=1, "
    "INPUT_TRANSFER_HANDLER_NOT_FOUND_IN_MAP=2, NON_FINGER_TOOL_TYPE=3, "
    "VIZ_INITIALIZATION_NOT_COMPLETE=4, SELECTION_HANDLES_ACTIVE=5, "
    "CAN_TRIGGER_BACK_GESTURE=6, IME_IS_ACTIVE=7, REQUESTED_BY_EMBEDDER=8, "
    "SYSTEM_SERVER_DID_NOT_TRANSFER=9, BROWSER_TOKEN_CHANGED=10, "
    "MULTIPLE_BROWSER_WINDOWS_OPEN=11, DOWN_TIME_AFTER_EVENT_TIME=12, "
    "SEQUENCE_TRANSFERRED_BACK_FROM_VIZ=13, WEB_CONTENTS_IGNORING_INPUT_EVENTS=14, "
    "RIR_DELEGATE_CONNECTION_NOT_SETUP=15, SHARED_MEMORY_UNAVAILABLE=16, "
    "POSITIVE_EVENT_AND_DOWN_TIME_DELTA=17, XR_IS_ACTIVE=18, "
    "HAS_ACTIVE_TOUCH_INTERCEPTORS=19)",
    "InputTransferHandler.InputOnVizSequenceDroppedReason(UNKNOWN_BROWSER_DROPPED_REASON=0, "
    "ACTIVE_SEQ_ON_VIZ_ABNORMAL_DOWN_TIME=1, FAILED_TO_TRANSFER_POTENTIAL_POINTER=2, "
    "ANDROID_OS_TRANSFERRED_A_NEW_SEQUENCE=3)",
    "InputTransferHandler.VizSequenceDroppedReason(UNKNOWN_VIZ_DROPPED_REASON=0, "
    "OLDER_SEQUENCE_IN_QUEUE=1)",
    "ResponseInfo{response_code 1:i64, was_http_cache 2:bool}",
    "MemoryDumpProvider{name 1:str}",
    "FrameIntervalDecider{result 1:Result, matcher_type 2:FrameIntervalMatcherType}",
    "FrameIntervalDecider.Result{frame_interval_class 1:FrameIntervalClass, result_interval "
    "2:ResultInterval}",
    "FrameIntervalDecider.ResultInterval{interval_us 1:i64, type 2:ResultIntervalType}",
    "FrameIntervalDecider.FrameIntervalClass(FRAME_INTERVAL_CLASS_UNSPECIFIED=0, "
    "FRAME_INTERVAL_CLASS_BOOST=1, FRAME_INTERVAL_CLASS_DEFAULT=2)",
    "FrameIntervalDecider.ResultIntervalType(RESULT_INTERVAL_TYPE_UNSPECIFIED=0, "
    "RESULT_INTERVAL_TYPE_EXACT=1, RESULT_INTERVAL_TYPE_AT_LEAST=2)",
    "FrameIntervalDecider.FrameIntervalMatcherType(MATCHER_TYPE_UNSPECIFIED=0, "
    "MATCHER_TYPE_NONE=1, MATCHER_TYPE_INPUT_BOOST=2, MATCHER_TYPE_ONLY_VIDEO=3, "
    "MATCHER_TYPE_VIDEO_CONFERENCE=4, MATCHER_TYPE_ONLY_ANIMATING_IMAGE=5, "
    "MATCHER_TYPE_ONLY_SCROLL_BAR_FADE_OUT=6, MATCHER_TYPE_USER_INPUT_BOOST=7, "
    "MATCHER_TYPE_SLOW_SCROLL_THROTTLE=8)",
    "ChromeAccessibilityWinNotifyWinEvent{native_event 1:u32}",
    "MacVoucherRelease{ref_count 1:u32, process_priority 2:ProcessPriority, "
    "process_os_priority 3:i32, thread_type 4:ThreadType, thread_has_leases 5:bool, "
    "thread_qos_class 6:QoSClass, thread_relative_priority 7:i32}",
    "MacVoucherRelease.ProcessPriority(PROCESS_PRIORITY_BEST_EFFORT=0, "
    "PROCESS_PRIORITY_USER_VISIBLE=1, PROCESS_PRIORITY_USER_BLOCKING=2)",
    "MacVoucherRelease.ThreadType(THREAD_TYPE_BACKGROUND=0, THREAD_TYPE_UTILITY=1, "
    "THREAD_TYPE_DEFAULT=2, THREAD_TYPE_PRESENTATION=3, THREAD_TYPE_AUDIO_PROCESSING=4, "
    "THREAD_TYPE_REALTIME_AUDIO=5)",
    "MacVoucherRelease.QoSClass(QOS_CLASS_UNSPECIFIED=0, QOS_CLASS_BACKGROUND=1, "
    "QOS_CLASS_UTILITY=2, QOS_CLASS_DEFAULT=3, QOS_CLASS_USER_INITIATED=4, "
    "QOS_CLASS_USER_INTERACTIVE=5)",
    "DebugAnnotation{name_iid 1:u64, bool_value 2:bool, uint_value 3:u64, int_value 4:i64, "
    "double_value 5:f64, string_value 6:str, pointer_value 7:u64, legacy_json_value 9:str, "
    "name 10:str, dict_entries 11*:DebugAnnotation, array_values 12*:DebugAnnotation, "
    "proto_type_name_iid 13:u64, proto_value 14:bytes, proto_type_name 16:str, "
    "string_value_iid 17:u64}",
    "ChromeCompositorSchedulerActionV2(CC_SCHEDULER_ACTION_V2_UNSPECIFIED=0, "
    "CC_SCHEDULER_ACTION_V2_NONE=1, CC_SCHEDULER_ACTION_V2_SEND_BEGIN_MAIN_FRAME=2, "
    "CC_SCHEDULER_ACTION_V2_COMMIT=3, CC_SCHEDULER_ACTION_V2_ACTIVATE_SYNC_TREE=4, "
    "CC_SCHEDULER_ACTION_V2_DRAW_IF_POSSIBLE=5, CC_SCHEDULER_ACTION_V2_DRAW_FORCED=6, "
    "CC_SCHEDULER_ACTION_V2_DRAW_ABORT=7, "
    "CC_SCHEDULER_ACTION_V2_BEGIN_LAYER_TREE_FRAME_SINK_CREATION=8, "
    "CC_SCHEDULER_ACTION_V2_PREPARE_TILES=9, "
    "CC_SCHEDULER_ACTION_V2_INVALIDATE_LAYER_TREE_FRAME_SINK=10, "
    "CC_SCHEDULER_ACTION_V2_PERFORM_IMPL_SIDE_INVALIDATION=11, "
    "CC_SCHEDULER_ACTION_V2_NOTIFY_BEGIN_MAIN_FRAME_NOT_EXPECTED_UNTIL=12, "
    "CC_SCHEDULER_ACTION_V2_NOTIFY_BEGIN_MAIN_FRAME_NOT_EXPECTED_SOON=13, "
    "CC_SCHEDULER_ACTION_V2_POST_COMMIT=14, CC_SCHEDULER_ACTION_V2_UPDATE_DISPLAY_TREE=15)",
    "ChromeCompositorSchedulerStateV2{state_machine 1:ChromeCompositorStateMachineV2, "
    "observing_begin_frame_source 2:bool, begin_impl_frame_deadline_task 3:bool, "
    "pending_begin_frame_task 4:bool, skipped_last_frame_missed_exceeded_deadline 5:bool, "
    "inside_action 7:ChromeCompositorSchedulerActionV2, deadline_mode "
    "8:BeginImplFrameDeadlineMode, deadline_us 9:i64, deadline_scheduled_at_us 10:i64, "
    "now_us 11:i64, now_to_deadline_delta_us 12:i64, now_to_deadline_scheduled_at_delta_us "
    "13:i64, begin_impl_frame_args 14:BeginImplFrameArgsV2, begin_frame_observer_state "
    "15:BeginFrameObserverStateV2, begin_frame_source_state 16:BeginFrameSourceStateV2, "
    "compositor_timing_history 17:CompositorTimingHistoryV2}",
    ""
    "ChromeCompositorSchedulerStateV2.BeginImplFrameDeadlineMode(DEADLINE_MODE_UNSPECIFIED=0, "
    "DEADLINE_MODE_NONE=1, DEADLINE_MODE_IMMEDIATE=2, DEADLINE_MODE_REGULAR=3, "
    "DEADLINE_MODE_LATE=4, DEADLINE_MODE_BLOCKED=5, DEADLINE_MODE_WAIT_FOR_SCROLL=6)",
    "ChromeCompositorStateMachineV2{major_state 1:MajorStateV2, minor_state 2:MinorStateV2}",
    "ChromeCompositorStateMachineV2.MajorStateV2{next_action "
    "1:ChromeCompositorSchedulerActionV2, begin_impl_frame_state 2:BeginImplFrameState, "
    "begin_main_frame_state 3:BeginMainFrameState, layer_tree_frame_sink_state "
    "4:LayerTreeFrameSinkState, forced_redraw_state 5:ForcedRedrawOnTimeoutState}",
    ""
    "ChromeCompositorStateMachineV2.MajorStateV2.BeginImplFrameState(BEGIN_IMPL_FRAME_UNSPECIFIED="
    "0, "
    "BEGIN_IMPL_FRAME_IDLE=1, BEGIN_IMPL_FRAME_INSIDE_BEGIN_FRAME=2, "
    "BEGIN_IMPL_FRAME_INSIDE_DEADLINE=3)",
    ""
    "ChromeCompositorStateMachineV2.MajorStateV2.BeginMainFrameState(BEGIN_MAIN_FRAME_UNSPECIFIED="
    "0, "
    "BEGIN_MAIN_FRAME_IDLE=1, BEGIN_MAIN_FRAME_SENT=2, BEGIN_MAIN_FRAME_READY_TO_COMMIT=3)",
    ""
    "ChromeCompositorStateMachineV2.MajorStateV2.LayerTreeFrameSinkState(LAYER_TREE_FRAME_"
    "UNSPECIFIED=0, "
    "LAYER_TREE_FRAME_NONE=1, LAYER_TREE_FRAME_ACTIVE=2, LAYER_TREE_FRAME_CREATING=3, "
    "LAYER_TREE_FRAME_WAITING_FOR_FIRST_COMMIT=4, "
    "LAYER_TREE_FRAME_WAITING_FOR_FIRST_ACTIVATION=5)",
    ""
    "ChromeCompositorStateMachineV2.MajorStateV2.ForcedRedrawOnTimeoutState(FORCED_REDRAW_"
    "UNSPECIFIED=0, "
    "FORCED_REDRAW_IDLE=1, FORCED_REDRAW_WAITING_FOR_COMMIT=2, "
    "FORCED_REDRAW_WAITING_FOR_ACTIVATION=3, FORCED_REDRAW_WAITING_FOR_DRAW=4)",
    "ChromeCompositorStateMachineV2.MinorStateV2{commit_count 1:i32, current_frame_number "
    "2:i32, last_frame_number_submit_performed 3:i32, last_frame_number_draw_performed "
    "4:i32, last_frame_number_begin_main_frame_sent 5:i32, did_draw 6:bool, "
    "did_send_begin_main_frame_for_current_frame 7:bool, "
    "did_notify_begin_main_frame_not_expected_until 8:bool, "
    "did_notify_begin_main_frame_not_expected_soon 9:bool, "
    "wants_begin_main_frame_not_expected 10:bool, did_commit_during_frame 11:bool, "
    "did_invalidate_layer_tree_frame_sink 12:bool, did_perform_impl_side_invalidaion "
    "13:bool, did_prepare_tiles 14:bool, consecutive_checkerboard_animations 15:i32, "
    "pending_submit_frames 16:i32, submit_frames_with_current_layer_tree_frame_sink 17:i32, "
    "needs_redraw 18:bool, needs_prepare_tiles 19:bool, needs_begin_main_frame 20:bool, "
    "needs_one_begin_impl_frame 21:bool, visible 22:bool, begin_frame_source_paused 23:bool, "
    "can_draw 24:bool, resourceless_draw 25:bool, has_pending_tree 26:bool, "
    "pending_tree_is_ready_for_activation 27:bool, active_tree_needs_first_draw 28:bool, "
    "active_tree_is_ready_to_draw 29:bool, "
    "did_create_and_initialize_first_layer_tree_frame_sink 30:bool, tree_priority "
    "31:TreePriority, scroll_handler_state 32:ScrollHandlerState, "
    "critical_begin_main_frame_to_activate_is_fast 33:bool, main_thread_missed_last_deadline "
    "34:bool, video_needs_begin_frames 36:bool, defer_begin_main_frame 37:bool, "
    "last_commit_had_no_updates 38:bool, did_draw_in_last_frame 39:bool, "
    "did_submit_in_last_frame 40:bool, needs_impl_side_invalidation 41:bool, "
    "current_pending_tree_is_impl_side 42:bool, previous_pending_tree_was_impl_side 43:bool, "
    "processing_animation_worklets_for_active_tree 44:bool, "
    "processing_animation_worklets_for_pending_tree 45:bool, "
    "processing_paint_worklets_for_pending_tree 46:bool, should_warm_up 47:bool}",
    "ChromeCompositorStateMachineV2.MinorStateV2.TreePriority(TREE_PRIORITY_UNSPECIFIED=0, "
    "TREE_PRIORITY_SAME_PRIORITY_FOR_BOTH_TREES=1, "
    "TREE_PRIORITY_SMOOTHNESS_TAKES_PRIORITY=2, TREE_PRIORITY_NEW_CONTENT_TAKES_PRIORITY=3)",
    ""
    "ChromeCompositorStateMachineV2.MinorStateV2.ScrollHandlerState(SCROLL_HANDLER_UNSPECIFIED=0, "
    "SCROLL_AFFECTS_SCROLL_HANDLER=1, SCROLL_DOES_NOT_AFFECT_SCROLL_HANDLER=2)",
    "BeginFrameArgsV2{type 1:BeginFrameArgsType, source_id 2:u64, sequence_number 3:u64, "
    "frame_time_us 4:i64, deadline_us 5:i64, interval_delta_us 6:i64, on_critical_path "
    "7:bool, animate_only 8:bool, source_location_iid 9:u64, source_location "
    "10:SourceLocation, frames_throttled_since_last 11:i64, unthrottled_interval_delta_us "
    "12:i64}",
    "BeginFrameArgsV2.BeginFrameArgsType(BEGIN_FRAME_ARGS_TYPE_UNSPECIFIED=0, "
    "BEGIN_FRAME_ARGS_TYPE_INVALID=1, BEGIN_FRAME_ARGS_TYPE_NORMAL=2, "
    "BEGIN_FRAME_ARGS_TYPE_MISSED=3)",
    "BeginImplFrameArgsV2{updated_at_us 1:i64, finished_at_us 2:i64, state 3:State, "
    "current_args 4:BeginFrameArgsV2, last_args 5:BeginFrameArgsV2, timestamps_in_us "
    "6:TimestampsInUs}",
    "BeginImplFrameArgsV2.State(BEGIN_FRAME_FINISHED=0, BEGIN_FRAME_USING=1)",
    "BeginImplFrameArgsV2.TimestampsInUs{interval_delta 1:i64, now_to_deadline_delta 2:i64, "
    "frame_time_to_now_delta 3:i64, frame_time_to_deadline_delta 4:i64, now 5:i64, "
    "frame_time 6:i64, deadline 7:i64}",
    "BeginFrameObserverStateV2{dropped_begin_frame_args 1:i64, last_begin_frame_args "
    "2:BeginFrameArgsV2}",
    "BeginFrameSourceStateV2{source_id 1:u32, paused 2:bool, num_observers 3:u32, "
    "last_begin_frame_args 4:BeginFrameArgsV2}",
    "CompositorTimingHistoryV2{begin_main_frame_queue_critical_estimate_delta_us 1:i64, "
    "begin_main_frame_queue_not_critical_estimate_delta_us 2:i64, "
    "begin_main_frame_start_to_ready_to_commit_estimate_delta_us 3:i64, "
    "commit_to_ready_to_activate_estimate_delta_us 4:i64, prepare_tiles_estimate_delta_us "
    "5:i64, activate_estimate_delta_us 6:i64, draw_estimate_delta_us 7:i64}",
};

const size_t bundled_chrome_messages_count =
    sizeof bundled_chrome_messages / sizeof *bundled_chrome_messages;
