import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `users.downloads_due_at`: when files that a user's rights call for are to be ordered. Set by triggers, in the transaction
 * that changes the rights, whichever code changes them. `sharings.preview_due_at`: the same for the picture of a link.
 */
const UP = `
  ALTER TABLE users ADD downloads_due_at timestamptz;
  CREATE INDEX users_downloads_due ON users (downloads_due_at) WHERE downloads_due_at IS NOT NULL;
  UPDATE users SET downloads_due_at = now()
  WHERE id IN (SELECT user_id FROM subscriptions UNION SELECT user_id FROM gift_redemptions);

  CREATE FUNCTION mark_downloads_due() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE users SET downloads_due_at = clock_timestamp() WHERE id = NEW.user_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER subscriptions_downloads AFTER INSERT OR UPDATE ON subscriptions
    FOR EACH ROW EXECUTE FUNCTION mark_downloads_due();
  CREATE TRIGGER gift_redemptions_downloads AFTER INSERT OR UPDATE ON gift_redemptions
    FOR EACH ROW EXECUTE FUNCTION mark_downloads_due();
  CREATE TRIGGER tasks_downloads AFTER UPDATE OF user_id ON tasks
    FOR EACH ROW WHEN (OLD.user_id <> NEW.user_id) EXECUTE FUNCTION mark_downloads_due();

  CREATE FUNCTION mark_own_downloads_due() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.downloads_due_at := clock_timestamp();
    RETURN NEW;
  END $$;
  CREATE TRIGGER users_downloads BEFORE UPDATE OF is_free ON users
    FOR EACH ROW WHEN (OLD.is_free <> NEW.is_free) EXECUTE FUNCTION mark_own_downloads_due();

  ALTER TABLE sharings ADD preview_due_at timestamptz;
  CREATE INDEX sharings_preview_due ON sharings (preview_due_at) WHERE preview_due_at IS NOT NULL;
`;

const DOWN = `
  ALTER TABLE sharings DROP preview_due_at;
  DROP TRIGGER users_downloads ON users;
  DROP TRIGGER tasks_downloads ON tasks;
  DROP TRIGGER gift_redemptions_downloads ON gift_redemptions;
  DROP TRIGGER subscriptions_downloads ON subscriptions;
  DROP FUNCTION mark_own_downloads_due, mark_downloads_due;
  ALTER TABLE users DROP downloads_due_at;
`;

export class DueDownloads1764360000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}
