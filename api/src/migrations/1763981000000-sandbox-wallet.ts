import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SandboxPayments1763800000000 } from './1763800000000-sandbox-payments.js';
import { SandboxCards1763980000000 } from './1763980000000-sandbox-cards.js';

export class SandboxWallet1763981000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE sandbox_events, sandbox_requests, sandbox_charges, sandbox_subscriptions, sandbox_orders,
        sandbox_payment_methods, sandbox_company
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await new SandboxPayments1763800000000().up(queryRunner);
    await new SandboxCards1763980000000().up(queryRunner);
  }
}
