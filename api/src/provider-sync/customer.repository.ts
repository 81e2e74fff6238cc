import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

@Injectable()
export class CustomerRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  async findId(userId: string): Promise<string | null> {
    const [row]: { customer_id: string }[] = await this.database.query(
      'SELECT customer_id FROM billing_customers WHERE user_id = $1',
      [userId],
    );
    return row?.customer_id ?? null;
  }

  async insert(userId: string, customerId: string): Promise<void> {
    await this.database.query(
      'INSERT INTO billing_customers (user_id, customer_id, created_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
      [userId, customerId],
    );
  }
}
