import { Injectable } from '@nestjs/common';
import { CardProvider } from '../providers/port/card-provider.js';
import { CustomerRepository } from './customer.repository.js';

@Injectable()
export class CustomersService {
  constructor(
    private readonly repository: CustomerRepository,
    private readonly cards: CardProvider,
  ) {}

  async ensure(userId: string): Promise<string> {
    const existing = await this.find(userId);
    if (existing) return existing;
    const email = await this.repository.emailOf(userId);
    const customerId = await this.cards.ensureCustomer({ id: userId, email });
    await this.repository.insert(userId, customerId);
    return customerId;
  }

  find(userId: string): Promise<string | null> {
    return this.repository.findId(userId);
  }
}
