#include "engine/proto/bundled.h"

/* What Android's window system and its input write: layers and transactions of
 * SurfaceFlinger, transitions of the shell, trees of views and of windows, input. */
const char *const bundled_winscope_messages[] = {
    "RectProto{left 1:i32, top 2:i32, right 3:i32, bottom 4:i32}",
    "RegionProto{rect 2*:RectProto}",
    "SizeProto{w 1:i32, h 2:i32}",
    "PositionProto{x 1:f32, y 2:f32}",
    "FloatRectProto{left 1:f32, top 2:f32, right 3:f32, bottom 4:f32}",
    "TransformProto{dsdx 1:f32, dtdx 2:f32, dsdy 3:f32, dtdy 4:f32, type 5:i32}",
    "Transform{dsdx 1:f32, dtdx 2:f32, dtdy 3:f32, dsdy 4:f32, tx 5:f32, ty 6:f32}",
    "ColorProto{r 1:f32, g 2:f32, b 3:f32, a 4:f32}",
    "CornerRadiiProto{tl 1:f32, tr 2:f32, bl 3:f32, br 4:f32}",
    "InputWindowInfoProto{layout_params_flags 1:u32, layout_params_type 2:i32, frame "
    "3:RectProto, touchable_region 4:RegionProto, surface_inset 5:i32, visible 6:bool, "
    "can_receive_keys 7:bool, focusable 8:bool, has_wallpaper 9:bool, global_scale_factor "
    "10:f32, window_x_scale 11:f32, window_y_scale 12:f32, crop_layer_id 13:i32, "
    "replace_touchable_region_with_crop 14:bool, touchable_region_crop 15:RectProto, "
    "transform 16:TransformProto, input_config 17:u32}",
    "BlurRegion{blur_radius 1:u32, corner_radius_tl 2:u32, corner_radius_tr 3:u32, "
    "corner_radius_bl 4:u32, corner_radius_br 5:f32, alpha 6:f32, left 7:i32, top 8:i32, "
    "right 9:i32, bottom 10:i32}",
    "ColorTransformProto{val 1*:f32}",
    "TrustedOverlay(UNSET=0, DISABLED=1, ENABLED=2)",
    "LayersSnapshotProto{elapsed_realtime_nanos 1:sfx64, where 2:str, layers 3:LayersProto, "
    "hwc_blob 4:str, excludes_composition_state 5:bool, missed_entries 6:u32, displays "
    "7*:DisplayProto, vsync_id 8:i64}",
    "LayersProto{layers 1*:LayerProto}",
    "DisplayProto{id 1:u64, name 2:str, layer_stack 3:u32, size 4:SizeProto, "
    "layer_stack_space_rect 5:RectProto, transform 6:TransformProto, is_virtual 7:bool, dpi_x"
    " 8:f64, dpi_y 9:f64}",
    "HwcCompositionType(HWC_TYPE_UNSPECIFIED=0, HWC_TYPE_CLIENT=1, HWC_TYPE_DEVICE=2, "
    "HWC_TYPE_SOLID_COLOR=3, HWC_TYPE_CURSOR=4, HWC_TYPE_SIDEBAND=5, "
    "HWC_TYPE_DISPLAY_DECORATION=6)",
    "ActiveBufferProto{width 1:u32, height 2:u32, stride 3:u32, format 4:i32, usage 5:u64}",
    "BarrierLayerProto{id 1:i32, frame_number 2:u64}",
    "LayerProto.MetadataEntry{key 1:i32, value 2:str}",
    "LayerProto{id 1:i32, name 2:str, children 3*:i32, relatives 4*:i32, type 5:str, "
    "transparent_region 6:RegionProto, visible_region 7:RegionProto, damage_region "
    "8:RegionProto, layer_stack 9:u32, z 10:i32, position 11:PositionProto, "
    "requested_position 12:PositionProto, size 13:SizeProto, crop 14:RectProto, final_crop "
    "15:RectProto, is_opaque 16:bool, invalidate 17:bool, dataspace 18:str, pixel_format "
    "19:str, color 20:ColorProto, requested_color 21:ColorProto, flags 22:u32, transform "
    "23:TransformProto, requested_transform 24:TransformProto, parent 25:i32, "
    "z_order_relative_of 26:i32, active_buffer 27:ActiveBufferProto, queued_frames 28:i32, "
    "refresh_pending 29:bool, hwc_frame 30:RectProto, hwc_crop 31:FloatRectProto, "
    "hwc_transform 32:i32, window_type 33:i32, app_id 34:i32, hwc_composition_type "
    "35:HwcCompositionType, is_protected 36:bool, curr_frame 37:u64, barrier_layer "
    "38*:BarrierLayerProto, buffer_transform 39:TransformProto, effective_scaling_mode "
    "40:i32, corner_radius 41:f32, metadata 42*:MetadataEntry, effective_transform "
    "43:TransformProto, source_bounds 44:FloatRectProto, bounds 45:FloatRectProto, "
    "screen_bounds 46:FloatRectProto, input_window_info 47:InputWindowInfoProto, "
    "corner_radius_crop 48:FloatRectProto, shadow_radius 49:f32, color_transform "
    "50:ColorTransformProto, is_relative_of 51:bool, background_blur_radius 52:i32, owner_uid"
    " 53:u32, blur_regions 54*:BlurRegion, is_trusted_overlay 55:bool, "
    "requested_corner_radius 56:f32, destination_frame 57:RectProto, original_id 58:u32, "
    "trusted_overlay 59:TrustedOverlay, background_blur_scale 60:f32, corner_radii "
    "61:CornerRadiiProto}",
    "TransactionTraceEntry{elapsed_realtime_nanos 1:i64, vsync_id 2:i64, transactions "
    "3*:TransactionState, added_layers 4*:LayerCreationArgs, destroyed_layers 5*:u32, "
    "added_displays 6*:DisplayState, removed_displays 7*:i32, destroyed_layer_handles 8*:u32,"
    " displays_changed 9:bool, displays 10*:DisplayInfo}",
    "DisplayInfo{layer_stack 1:u32, display_id 2:i32, logical_width 3:i32, logical_height "
    "4:i32, transform_inverse 5:Transform, transform 6:Transform, receives_input 7:bool, "
    "is_secure 8:bool, is_primary 9:bool, is_virtual 10:bool, rotation_flags 11:i32, "
    "transform_hint 12:i32}",
    "LayerCreationArgs{layer_id 1:u32, name 2:str, flags 3:u32, parent_id 4:u32, "
    "mirror_from_id 5:u32, add_to_root 6:bool, layer_stack_to_mirror 7:u32}",
    "TransactionBarrier{barrier_token 1:str, kind 2:u32}",
    "TransactionState{pid 1:i32, uid 2:i32, vsync_id 3:i64, input_event_id 4:i32, post_time "
    "5:i64, transaction_id 6:u64, layer_changes 7*:LayerState, display_changes "
    "8*:DisplayState, merged_transaction_ids 9*:u64, apply_token 10:u64, transaction_barriers"
    " 11*:TransactionBarrier}",
    "LayerState.ChangesLsb(eChangesLsbNone=0, ePositionChanged=1, eLayerChanged=2, "
    "eAlphaChanged=8, eMatrixChanged=16, eTransparentRegionChanged=32, eFlagsChanged=64, "
    "eLayerStackChanged=128, eReleaseBufferListenerChanged=1024, eShadowRadiusChanged=2048, "
    "eBufferCropChanged=8192, eRelativeLayerChanged=16384, eReparent=32768, "
    "eColorChanged=65536, eBufferTransformChanged=262144, "
    "eTransformToDisplayInverseChanged=524288, eCropChanged=1048576, eBufferChanged=2097152, "
    "eAcquireFenceChanged=4194304, eDataspaceChanged=8388608, eHdrMetadataChanged=16777216, "
    "eSurfaceDamageRegionChanged=33554432, eApiChanged=67108864, "
    "eSidebandStreamChanged=134217728, eColorTransformChanged=268435456, "
    "eHasListenerCallbacksChanged=536870912, eInputInfoChanged=1073741824, "
    "eCornerRadiusChanged=-2147483648)",
    "LayerState.ChangesMsb(eChangesMsbNone=0, eDestinationFrameChanged=1, "
    "eCachedBufferChanged=2, eBackgroundColorChanged=4, eMetadataChanged=8, "
    "eColorSpaceAgnosticChanged=16, eFrameRateSelectionPriority=32, eFrameRateChanged=64, "
    "eBackgroundBlurRadiusChanged=128, eProducerDisconnect=256, "
    "eFixedTransformHintChanged=512, eFrameNumberChanged=1024, eBlurRegionsChanged=2048, "
    "eAutoRefreshChanged=4096, eStretchChanged=8192, eTrustedOverlayChanged=16384, "
    "eDropInputModeChanged=32768, eClientDrawnCornerRadiusChanged=65536, "
    "eSystemContentPriorityChanged=131072)",
    "LayerState.Matrix22{dsdx 1:f32, dtdx 2:f32, dtdy 3:f32, dsdy 4:f32}",
    "LayerState.CornerRadii{tl 1:f32, tr 2:f32, bl 3:f32, br 4:f32}",
    "LayerState.Color3{r 1:f32, g 2:f32, b 3:f32}",
    "LayerState.BufferData.PixelFormat(PIXEL_FORMAT_UNKNOWN=0, PIXEL_FORMAT_CUSTOM=-4, "
    "PIXEL_FORMAT_TRANSLUCENT=-3, PIXEL_FORMAT_TRANSPARENT=-2, PIXEL_FORMAT_OPAQUE=-1, "
    "PIXEL_FORMAT_RGBA_8888=1, PIXEL_FORMAT_RGBX_8888=2, PIXEL_FORMAT_RGB_888=3, "
    "PIXEL_FORMAT_RGB_565=4, PIXEL_FORMAT_BGRA_8888=5, PIXEL_FORMAT_RGBA_5551=6, "
    "PIXEL_FORMAT_RGBA_4444=7, PIXEL_FORMAT_RGBA_FP16=22, PIXEL_FORMAT_RGBA_1010102=43, "
    "PIXEL_FORMAT_R_8=56)",
    "LayerState.BufferData{buffer_id 1:u64, width 2:u32, height 3:u32, frame_number 4:u64, "
    "flags 5:u32, cached_buffer_id 6:u64, pixel_format 7:PixelFormat, usage 8:u64}",
    "LayerState.WindowInfo{layout_params_flags 1:u32, layout_params_type 2:i32, "
    "touchable_region 3:RegionProto, surface_inset 4:i32, focusable 5:bool, has_wallpaper "
    "6:bool, global_scale_factor 7:f32, crop_layer_id 8:u32, "
    "replace_touchable_region_with_crop 9:bool, touchable_region_crop 10:RectProto, transform"
    " 11:Transform, input_config 12:u32}",
    "LayerState.DropInputMode(NONE=0, ALL=1, OBSCURED=2)",
    "LayerState{layer_id 1:u32, what 2:u64, x 3:f32, y 4:f32, z 5:i32, w 6:u32, h 7:u32, "
    "layer_stack 8:u32, flags 9:u32, mask 10:u32, matrix 11:Matrix22, corner_radius 12:f32, "
    "background_blur_radius 13:u32, parent_id 14:u32, relative_parent_id 15:u32, alpha "
    "16:f32, color 17:Color3, transparent_region 18:RegionProto, transform 19:u32, "
    "transform_to_display_inverse 20:bool, crop 21:RectProto, buffer_data 22:BufferData, api "
    "23:i32, has_sideband_stream 24:bool, color_transform 25:ColorTransformProto, "
    "blur_regions 26*:BlurRegion, window_info_handle 27:WindowInfo, bg_color_alpha 28:f32, "
    "bg_color_dataspace 29:i32, color_space_agnostic 30:bool, shadow_radius 31:f32, "
    "frame_rate_selection_priority 32:i32, frame_rate 33:f32, frame_rate_compatibility "
    "34:i32, change_frame_rate_strategy 35:i32, fixed_transform_hint 36:u32, frame_number "
    "37:u64, auto_refresh 38:bool, is_trusted_overlay 39:bool, buffer_crop 40:RectProto, "
    "destination_frame 41:RectProto, drop_input_mode 42:DropInputMode, trusted_overlay "
    "43:TrustedOverlay, background_blur_scale 44:f32, corner_radii 45:CornerRadii, "
    "client_drawn_corner_radii 46:CornerRadii, system_content_priority 47:i32}",
    "DisplayState.Changes(eChangesNone=0, eSurfaceChanged=1, eLayerStackChanged=2, "
    "eDisplayProjectionChanged=4, eDisplaySizeChanged=8, eFlagsChanged=16)",
    "DisplayState{id 1:i32, what 2:u32, flags 3:u32, layer_stack 4:u32, orientation 5:u32, "
    "layer_stack_space_rect 6:RectProto, oriented_display_space_rect 7:RectProto, width "
    "8:u32, height 9:u32}",
    "ShellTransition.Target{mode 1:i32, layer_id 2:i32, window_id 3:i32, flags 4:i32}",
    "ShellTransition{id 1:i32, create_time_ns 2:i64, send_time_ns 3:i64, dispatch_time_ns "
    "4:i64, merge_time_ns 5:i64, merge_request_time_ns 6:i64, shell_abort_time_ns 7:i64, "
    "wm_abort_time_ns 8:i64, finish_time_ns 9:i64, start_transaction_id 10:u64, "
    "finish_transaction_id 11:u64, handler 12:i32, type 13:i32, targets 14*:Target, "
    "merge_target 15:i32, flags 16:i32, starting_window_remove_time_ns 17:i64}",
    "AndroidMotionEvent.Pointer.AxisValue{axis 1:i32, value 2:f32}",
    "AndroidMotionEvent.Pointer{axis_value 1*:AxisValue, pointer_id 2:i32, tool_type 3:i32}",
    "AndroidMotionEvent{event_id 1:fx32, event_time_nanos 2:i64, source 3:u32, action 4:i32, "
    "device_id 5:i32, display_id 6:s32, classification 7:i32, flags 8:u32, pointer "
    "9*:Pointer, original_event_id 16*:fx32, down_time_nanos 17:i64, cursor_position_x "
    "18:f32, cursor_position_y 19:f32, action_button 20:i32, button_state 21:u32, meta_state "
    "22:u32, policy_flags 23:u32, precision_x 24:f32, precision_y 25:f32}",
    "AndroidKeyEvent{event_id 1:fx32, event_time_nanos 2:i64, down_time_nanos 3:i64, source "
    "4:u32, action 5:i32, device_id 6:i32, display_id 7:s32, key_code 8:i32, scan_code 9:u32,"
    " meta_state 10:u32, repeat_count 11:i32, flags 12:u32, policy_flags 13:u32}",
    "AndroidWindowInputDispatchEvent.DispatchedPointer{pointer_id 1:i32, x_in_display 2:f32, "
    "y_in_display 3:f32, axis_value_in_window 4*:AndroidMotionEvent.Pointer.AxisValue}",
    "AndroidWindowInputDispatchEvent{event_id 1:fx32, vsync_id 2:i64, window_id 3:i32, "
    "dispatched_pointer 4*:DispatchedPointer, resolved_flags 5:u32}",
    "InputMethodClientsTraceProto{elapsed_realtime_nanos 1:fx64, where 2:str}",
    "InputMethodServiceTraceProto{elapsed_realtime_nanos 1:fx64, where 2:str}",
    "InputMethodManagerServiceTraceProto{elapsed_realtime_nanos 1:fx64, where 2:str}",
    "ViewCapture.View{id 1:i32, parent_id 2:i32, hashcode 3:i32, view_id_iid 4:i32, "
    "class_name_iid 5:i32, left 6:i32, top 7:i32, width 8:i32, height 9:i32, scroll_x 10:i32,"
    " scroll_y 11:i32, translation_x 12:f32, translation_y 13:f32, scale_x 14:f32, scale_y "
    "15:f32, alpha 16:f32, will_not_draw 17:bool, clip_children 18:bool, visibility 19:i32, "
    "elevation 20:f32}",
    "ViewCapture{package_name_iid 1:i32, window_name_iid 2:i32, views 3*:View}",
    "WindowManagerTraceEntry{elapsed_realtime_nanos 1:fx64, where 2:str, "
    "window_manager_service 3:WindowManagerServiceDumpProto}",
    "IdentifierProto{hash_code 1:i32, user_id 2:i32, title 3:str}",
    "BackNavigationProto{animation_in_progress 1:bool, last_back_type 2:i32, show_wallpaper "
    "3:bool, main_open_activity 4:str, animation_running 5:bool}",
    "KeyguardServiceDelegateProto.ScreenState(SCREEN_STATE_OFF=0, SCREEN_STATE_TURNING_ON=1, "
    "SCREEN_STATE_ON=2, SCREEN_STATE_TURNING_OFF=3)",
    "KeyguardServiceDelegateProto.InteractiveState(INTERACTIVE_STATE_SLEEP=0, "
    "INTERACTIVE_STATE_WAKING=1, INTERACTIVE_STATE_AWAKE=2, "
    "INTERACTIVE_STATE_GOING_TO_SLEEP=3)",
    "KeyguardServiceDelegateProto{showing 1:bool, occluded 2:bool, secure 3:bool, "
    "screen_state 4:ScreenState, interactive_state 5:InteractiveState}",
    "KeyguardPerDisplayProto{display_id 1:i32, keyguard_showing 2:bool, aod_showing 3:bool, "
    "keyguard_occluded 4:bool, keyguard_going_away 5:bool}",
    "KeyguardControllerProto{keyguard_showing 1:bool, aod_showing 3:bool, "
    "keyguard_per_display 4*:KeyguardPerDisplayProto, keyguard_going_away 5:bool}",
    "WindowManagerPolicyProto.UserRotationMode(USER_ROTATION_FREE=0, USER_ROTATION_LOCKED=1)",
    "WindowManagerPolicyProto{rotation_mode 2:UserRotationMode, screen_on_fully 5:bool, "
    "keyguard_draw_complete 6:bool, window_manager_draw_complete 7:bool, keyguard_occluded "
    "12:bool, keyguard_occluded_changed 13:bool, keyguard_occluded_pending 14:bool, "
    "keyguard_delegate 20:KeyguardServiceDelegateProto}",
    "WindowManagerServiceDumpProto{policy 1:WindowManagerPolicyProto, root_window_container "
    "2:RootWindowContainerProto, focused_window 3:IdentifierProto, focused_app 4:str, "
    "input_method_window 5:IdentifierProto, display_frozen 6:bool, rotation 7:i32, "
    "last_orientation 8:i32, focused_display_id 9:i32, hard_keyboard_available 10:bool, "
    "window_frames_valid 11:bool, back_navigation 12:BackNavigationProto}",
    "RootWindowContainerProto{window_container 1:WindowContainerProto, keyguard_controller "
    "5:KeyguardControllerProto, is_home_recents_component 6:bool, pending_activities "
    "7*:IdentifierProto, default_min_size_resizable_task 8:i32}",
    "WindowContainerProto{orientation 2:i32, visible 3:bool, children "
    "5*:WindowContainerChildProto, identifier 6:IdentifierProto}",
    "WindowContainerChildProto{window_container 2:WindowContainerProto, display_content "
    "3:DisplayContentProto, display_area 4:DisplayAreaProto, task 5:TaskProto, activity "
    "6:ActivityRecordProto, window_token 7:WindowTokenProto, window 8:WindowStateProto, "
    "task_fragment 9:TaskFragmentProto}",
    "DisplayInfoProto{logical_width 1:i32, logical_height 2:i32, app_width 3:i32, app_height "
    "4:i32, name 5:str, flags 6:i32}",
    "DisplayRotationProto{rotation 1:i32, frozen_to_user_rotation 2:bool, user_rotation "
    "3:i32, fixed_to_user_rotation_mode 4:i32, last_orientation 5:i32, "
    "is_fixed_to_user_rotation 6:bool}",
    "DisplayContentProto{id 2:i32, dpi 9:i32, display_info 10:DisplayInfoProto, rotation "
    "11:i32, focused_app 15:str, opening_apps 17*:IdentifierProto, closing_apps "
    "18*:IdentifierProto, changing_apps 19*:IdentifierProto, root_display_area "
    "21:DisplayAreaProto, single_task_instance 22:bool, focused_root_task_id 23:i32, "
    "resumed_activity 24:IdentifierProto, display_ready 26:bool, can_show_ime 32:bool, "
    "display_rotation 33:DisplayRotationProto, ime_policy 34:i32, is_sleeping 36:bool, "
    "sleep_tokens 37*:str, keep_clear_areas 38*:RectProto, min_size_of_resizeable_task_dp "
    "39:i32, input_method_layering_target_identifier 40:IdentifierProto, "
    "input_method_input_target_identifier 41:IdentifierProto, "
    "input_method_control_target_identifier 42:IdentifierProto, current_focus_identifier "
    "43:IdentifierProto}",
    "DisplayAreaProto{window_container 1:WindowContainerProto, name 2:str, "
    "is_task_display_area 4:bool, is_root_display_area 5:bool, feature_id 6:i32, is_organized"
    " 7:bool, is_ignoring_orientation_request 8:bool}",
    "TaskFragmentProto{window_container 1:WindowContainerProto, display_id 2:i32, "
    "activity_type 3:i32, min_width 4:i32, min_height 5:i32}",
    "TaskProto{id 2:i32, fills_parent 4:bool, bounds 5:RectProto, displayed_bounds "
    "6:RectProto, defer_removal 7:bool, surface_width 8:i32, surface_height 9:i32, "
    "resumed_activity 12:IdentifierProto, real_activity 13:str, orig_activity 14:str, "
    "display_id 15:i32, root_task_id 16:i32, activity_type 17:i32, resize_mode 18:i32, "
    "min_width 19:i32, min_height 20:i32, adjusted_bounds 21:RectProto, "
    "last_non_fullscreen_bounds 22:RectProto, adjusted_for_ime 23:bool, adjust_ime_amount "
    "24:f32, adjust_divider_amount 25:f32, animating_bounds 26:bool, minimize_amount 27:f32, "
    "created_by_organizer 28:bool, affinity 29:str, has_child_pip_activity 30:bool, "
    "task_fragment 31:TaskFragmentProto}",
    "ActivityRecordProto{name 1:str, window_token 2:WindowTokenProto, last_surface_showing "
    "3:bool, is_waiting_for_transition_start 4:bool, is_animating 5:bool, fills_parent "
    "7:bool, app_stopped 8:bool, visible_requested 9:bool, client_visible 10:bool, "
    "defer_hiding_client 11:bool, reported_drawn 12:bool, reported_visible 13:bool, "
    "num_interesting_windows 14:i32, num_drawn_windows 15:i32, all_drawn 16:bool, "
    "last_all_drawn 17:bool, starting_window 19:IdentifierProto, starting_displayed 20:bool, "
    "starting_moved 201:bool, visible_set_from_transferred_starting_window 22:bool, "
    "frozen_bounds 23*:RectProto, visible 24:bool, identifier 26:IdentifierProto, state "
    "27:str, front_of_task 28:bool, proc_id 29:i32, translucent 30:bool, "
    "pip_auto_enter_enabled 31:bool, in_size_compat_mode 32:bool, min_aspect_ratio 33:f32, "
    "provides_max_bounds 34:bool, enable_recents_screenshot 35:bool, last_drop_input_mode "
    "36:i32, override_orientation 37:i32, should_send_compat_fake_focus 38:bool, "
    "should_force_rotate_for_camera_compat 39:bool, should_refresh_activity_for_camera_compat"
    " 40:bool, should_refresh_activity_via_pause_for_camera_compat 41:bool, "
    "should_override_min_aspect_ratio 42:bool, should_ignore_orientation_request_loop "
    "43:bool, should_override_force_resize_app 44:bool, "
    "should_enable_user_aspect_ratio_settings 45:bool, is_user_fullscreen_override_enabled "
    "46:bool}",
    "WindowTokenProto{window_container 1:WindowContainerProto, hash_code 2:i32, "
    "waiting_to_show 5:bool, paused 6:bool}",
    "WindowLayoutParamsProto{type 1:i32, x 2:i32, y 3:i32, width 4:i32, height 5:i32, "
    "horizontal_margin 6:f32, vertical_margin 7:f32, gravity 8:i32, soft_input_mode 9:i32, "
    "window_animations 11:i32, alpha 12:f32, screen_brightness 13:f32, button_brightness "
    "14:f32, preferred_refresh_rate 16:f32, preferred_display_mode_id 17:i32, "
    "has_system_ui_listeners 18:bool, input_feature_flags 19:u32, user_activity_timeout "
    "20:i64, flags 24:u32, private_flags 26:u32, system_ui_visibility_flags 27:u32, "
    "subtree_system_ui_visibility_flags 28:u32, appearance 29:u32, behavior 30:u32, "
    "fit_insets_types 31:u32, fit_insets_sides 32:u32, fit_ignore_visibility 33:bool, "
    "forcibly_shown_types 34:u32, rendering_hints 37:u32, screen_brightness_unit 38:i32}",
    "WindowFramesProto{display_frame 4:RectProto, frame 5:RectProto, outset_frame "
    "6:RectProto, parent_frame 8:RectProto, outsets 15:RectProto, compat_frame 16:RectProto}",
    "WindowStateAnimatorProto.DrawState(NO_SURFACE=0, DRAW_PENDING=1, COMMIT_DRAW_PENDING=2, "
    "READY_TO_SHOW=3, HAS_DRAWN=4)",
    "WindowSurfaceControllerProto{shown 1:bool, layer 2:i32}",
    "WindowStateAnimatorProto{last_clip_rect 1:RectProto, surface "
    "2:WindowSurfaceControllerProto, draw_state 3:DrawState, system_decor_rect 4:RectProto}",
    "WindowStateProto{window_container 1:WindowContainerProto, identifier 2:IdentifierProto, "
    "display_id 3:i32, stack_id 4:i32, attributes 5:WindowLayoutParamsProto, "
    "given_content_insets 6:RectProto, surface_insets 12:RectProto, animator "
    "13:WindowStateAnimatorProto, animating_exit 14:bool, surface_position 16:RectProto, "
    "requested_width 18:i32, requested_height 19:i32, view_visibility 20:i32, "
    "system_ui_visibility 21:i32, has_surface 22:bool, is_ready_for_display 23:bool, "
    "remove_on_exit 34:bool, destroying 35:bool, removed 36:bool, is_on_screen 37:bool, "
    "is_visible 38:bool, pending_seamless_rotation 39:bool, window_frames "
    "41:WindowFramesProto, force_seamless_rotation 42:bool, has_compat_scale 43:bool, "
    "global_scale 44:f32, keep_clear_areas 45*:RectProto, unrestricted_keep_clear_areas "
    "46*:RectProto, requested_visible_types 48:i32, dim_bounds 49:RectProto, "
    "prepare_sync_seq_id 50:i32, sync_seq_id 51:i32}",
};

const size_t bundled_winscope_messages_count =
    sizeof bundled_winscope_messages / sizeof *bundled_winscope_messages;
