-- What a frame's "Jank type" blames; it may name several causes.
CREATE PERFETTO FUNCTION android_is_sf_jank_type(jank_type STRING)
RETURNS BOOL AS
SELECT
  instr($jank_type, 'SurfaceFlinger CPU Deadline Missed')
  OR instr($jank_type, 'SurfaceFlinger GPU Deadline Missed')
  OR instr($jank_type, 'SurfaceFlinger Scheduling')
  OR instr($jank_type, 'Prediction Error')
  OR instr($jank_type, 'Display HAL');

CREATE PERFETTO FUNCTION android_is_app_jank_type(jank_type STRING)
RETURNS BOOL AS
SELECT instr($jank_type, 'App Deadline Missed') OR instr($jank_type, 'App Resynced Jitter');

CREATE PERFETTO FUNCTION android_is_missed_frame_type(jank_type STRING)
RETURNS BOOL AS
SELECT
  android_is_sf_jank_type($jank_type)
  OR android_is_app_jank_type($jank_type)
  OR instr($jank_type, 'Dropped Frame') > 0;
