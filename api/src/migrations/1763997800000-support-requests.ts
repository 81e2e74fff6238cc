import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests to customer support, and those to delete at the support desk. No foreign key to `users`: guests' rows may be
 * deleted before their requests.
 */
export class SupportRequests1763997800000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE support_requests (
        id uuid PRIMARY KEY,
        user_id uuid,
        name text NOT NULL,
        email text NOT NULL,
        subject text NOT NULL,
        body text NOT NULL,
        source text NOT NULL,
        device text NOT NULL,
        browser text NOT NULL,
        role text,
        created_at timestamptz NOT NULL,
        sent_at timestamptz,
        desk_id text
      );
      CREATE INDEX support_requests_unsent ON support_requests (created_at) WHERE sent_at IS NULL;
      CREATE INDEX support_requests_created ON support_requests (created_at);
      CREATE INDEX support_requests_user ON support_requests (user_id);
      -- Found by address where no user is recorded.
      CREATE INDEX support_requests_email ON support_requests (lower(email));
      CREATE TABLE support_deletions (
        request_id uuid PRIMARY KEY,
        created_at timestamptz NOT NULL
      );
      CREATE INDEX support_deletions_created ON support_deletions (created_at)
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE support_deletions, support_requests');
  }
}
