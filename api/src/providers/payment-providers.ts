import { Injectable } from '@nestjs/common';
import { CardProvider } from './card-provider.js';
import type { ProviderName } from './payment-provider.js';
import { WalletProvider } from './wallet-provider.js';

@Injectable()
export class PaymentProviders {
  constructor(
    private readonly cards: CardProvider,
    private readonly wallet: WalletProvider,
  ) {}

  of(name: ProviderName): CardProvider | WalletProvider {
    return name === this.wallet.name ? this.wallet : this.cards;
  }
}
