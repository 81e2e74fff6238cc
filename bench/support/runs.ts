import type { DatabaseClient } from '../../tests/support/product/database.ts';

export async function addRuns(client: DatabaseClient, userId: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH upload AS (
       INSERT INTO bulk_uploads (id, user_id, created_at) VALUES (gen_random_uuid(), $1, now()) RETURNING id
     ), task AS (
       INSERT INTO tasks (id, bulk_upload_id, user_id, position, status, ai_pipeline, output_content_type, jpeg_quality,
         content_type, run_id, rendition, processing, created_at, expires_at)
       SELECT gen_random_uuid(), upload.id, $1, n, 'processing', '{"faceEnhance": {"model": "base"}}', 'image/jpeg', 90,
         'image/jpeg', gen_random_uuid(),
         '{"contentType": "image/jpeg", "jpegQuality": 90, "watermark": true, "maxSide": null}',
         '{"maxSide": 2048, "faceDetectorMaxInput": 800, "isPreview": false}', now(), now() + interval '1 day'
       FROM upload, generate_series(1, $2::int) n RETURNING id, run_id
     ), run AS (
       INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at)
       SELECT run_id, 'image.enhance', id, $1, 'images', 1, 'waiting', clock_timestamp() FROM task
     )
     SELECT id FROM task`,
    [userId, count],
  );
  return rows.map(({ id }) => id);
}

export async function addFinishedRuns(client: DatabaseClient, userId: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO runs (id, kind, subject_id, user_id, queue, priority, status, created_at, dispatched_at, started_at,
       finished_at)
     SELECT gen_random_uuid(), 'image.enhance', gen_random_uuid(), $1, 'images', 1, 'completed', at, at, at, at
     FROM (SELECT now() - random() * interval '30 days' AS at FROM generate_series(1, $2::int)) finished`,
    [userId, count],
  );
  await client.query('VACUUM ANALYZE runs');
}

export async function endRuns(client: DatabaseClient): Promise<void> {
  await client.query(`UPDATE runs SET status = 'cancelled', finished_at = now() WHERE finished_at IS NULL`);
}
