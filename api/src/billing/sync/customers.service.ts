import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CardProvider } from '../providers/port/payment-provider.js';
import { mapProviderErrors } from '../providers/port/provider-errors.js';

/** Who our users are to the card provider. One customer a user, made when it is first needed. */
@Injectable()
export class CustomersService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly cards: CardProvider,
  ) {}

  async ensure(userId: string): Promise<string> {
    const known = await this.find(userId);
    if (known) return known;
    const [user]: { email: string | null }[] = await this.database.query('SELECT email FROM users WHERE id = $1', [
      userId,
    ]);
    const customerId = await mapProviderErrors(this.cards.ensureCustomer({ id: userId, email: user?.email ?? null }));
    await this.database.query(
      'INSERT INTO billing_customers (user_id, customer_id, created_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
      [userId, customerId],
    );
    return customerId;
  }

  /** Null for somebody who has never come near a payment by card. */
  async find(userId: string): Promise<string | null> {
    const [row]: { customer_id: string }[] = await this.database.query(
      'SELECT customer_id FROM billing_customers WHERE user_id = $1',
      [userId],
    );
    return row?.customer_id ?? null;
  }
}
