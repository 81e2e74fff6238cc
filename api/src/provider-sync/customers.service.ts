import { Injectable } from '@nestjs/common';
import { CardProvider } from '../providers/payment-provider.js';
import { UserRepository } from '../users/user.repository.js';
import { CustomerRepository } from './provider-sync.repository.js';

@Injectable()
export class CustomersService {
  constructor(
    private readonly repository: CustomerRepository,
    private readonly users: UserRepository,
    private readonly cards: CardProvider,
  ) {}

  async ensure(userId: string): Promise<string> {
    const existing = await this.find(userId);
    if (existing) return existing;
    const user = await this.users.find(userId);
    const customerId = await this.cards.ensureCustomer({ id: userId, email: user?.email ?? null });
    await this.repository.insert(userId, customerId);
    return customerId;
  }

  find(userId: string): Promise<string | null> {
    return this.repository.findId(userId);
  }
}
