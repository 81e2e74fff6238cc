import type { Announced, Visitor } from './visitor.js';

export const FACES = { face_enhance: { model: 'base' } };
export const LOOK = { color_enhance: { model: 'teal' } };
export const ask = (visitor: Visitor, { bulk_upload_id, task_id }: Announced, order: object = {}) =>
  visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, {
    input_reprocess_list: [
      { client_task_id: task_id, ai_pipeline: FACES, output_content_type: 'image/jpeg', ...order },
    ],
  });

/** Signatures differ between responses. */
export const pathOf = (url: string) => new URL(url).pathname;
