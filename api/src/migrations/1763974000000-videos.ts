import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Videos are tasks: what only they have is in `video`. Their runs carry an estimate and show a frame meanwhile. */
export class Videos1763974000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE tasks ADD COLUMN media_type text NOT NULL DEFAULT 'image' CHECK (media_type IN ('image', 'video')),
        ADD COLUMN video jsonb,
        ADD CONSTRAINT tasks_video CHECK ((video IS NOT NULL) = (media_type = 'video'));
      CREATE INDEX tasks_user_videos ON tasks (user_id, created_at, id) WHERE media_type = 'video';
      ALTER TABLE runs ADD COLUMN estimated_seconds real CHECK (estimated_seconds > 0), ADD COLUMN preview_keys jsonb;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM runs WHERE kind IN ('video.probe', 'video.enhance');
      ALTER TABLE runs DROP COLUMN estimated_seconds, DROP COLUMN preview_keys;
      DELETE FROM bulk_uploads WHERE id IN (SELECT bulk_upload_id FROM tasks WHERE media_type = 'video');
      ALTER TABLE tasks DROP COLUMN media_type, DROP COLUMN video;
    `);
  }
}
