export const TASK_ID = '6f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326';
export const BULK_UPLOAD_ID = '0c9a35ad-61b4-4c1a-9ae1-6a4d8f0d2f55';

export const uploadCreated = (uploadUrl: string) => ({
  bulk_upload_id: BULK_UPLOAD_ID,
  status: 'started',
  task_list: [
    {
      task_id: TASK_ID,
      status: 'started',
      upload_url: uploadUrl,
      upload_headers: { 'Content-Type': 'image/jpeg' },
      resumable_url: null,
    },
  ],
});

export const NO_DISPLAY = {
  input_url: null,
  input_medium_url: null,
  output_url: null,
  thumbnail_url: null,
  input_thumbnail_url: null,
  width: null,
  height: null,
};

export const task = (changes: Record<string, unknown> = {}) => ({
  task_id: TASK_ID,
  bulk_upload_id: BULK_UPLOAD_ID,
  bulk_upload_size: 1,
  status: 'processing',
  progress: 0,
  file_progress: 1,
  output_upload: null,
  queue_wait_num: 1,
  remaining_seconds: null,
  media_type: 'image',
  keep_location: false,
  ai_pipeline: { face_enhance: { model: 'base' } },
  has_watermark: true,
  is_test: false,
  is_exported: false,
  export_state: 'none',
  input_url: 'http://clearframe.test/media/inputs/1?signature=a',
  output_url: null,
  output_content_type: 'image/jpeg',
  display: NO_DISPLAY,
  input: {
    file_name: 'face.jpg',
    content_type: 'image/jpeg',
    width: null,
    height: null,
    duration: null,
    size_bytes: 10,
    sha256: null,
    converted_images: [],
  },
  result: { outputs: [] },
  sharing: null,
  error_code: null,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-02T00:00:00.000Z',
  ...changes,
});

export const bulkUpload = (changes?: Record<string, unknown>) => ({
  bulk_upload_id: BULK_UPLOAD_ID,
  status: 'processing',
  task_list: [task(changes)],
  input_task_list: [],
});

export const output = (changes: Readonly<Record<string, unknown>> = {}) => ({
  id: TASK_ID,
  url: 'http://clearframe.test/media/results/1?signature=a',
  content_type: 'image/jpeg',
  width: 10,
  height: 10,
  full_size: { width: 10, height: 10, size_bytes: 100 },
  display: null,
  number: 1,
  is_preview: false,
  is_untouched: false,
  keep_location: false,
  has_watermark: true,
  is_encoding: false,
  ai_pipeline: {},
  converted_images: [],
  changes: null,
  faces: [],
  recipe: { version: 1, ai_pipeline: {}, models: [] },
  ...changes,
});
