import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { type FactoryProvider, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { BillingClock, CardProvider, ProviderPrices, WalletProvider } from '../port/payment-provider.js';
import { PaymentsConfig } from '../port/payments.config.js';
import { FaultInjector } from './adapters/fault-injector.js';
import { SandboxCards } from './adapters/sandbox-cards.js';
import { SandboxWallet } from './adapters/sandbox-wallet.js';
import { SandboxLedger } from './core/ledger.js';
import { SandboxClock } from './core/sandbox-clock.js';
import { SandboxDatabase } from './core/sandbox-database.js';
import { SandboxHttpApi } from './http-api.js';
import { SandboxPages } from './pages/pages.js';
import { SandboxPortal } from './pages/portal.js';
import { SandboxWalletPages } from './pages/wallet-pages.js';
import { SandboxAgreements } from './payments/agreements.js';
import { SandboxIntents } from './payments/intents.js';
import { OpenInvoices } from './payments/open-invoices.js';
import { SandboxOrders } from './payments/orders.js';
import { PortalSessions } from './payments/portal-sessions.js';
import { ReturnUrls } from './payments/return-urls.js';
import { SandboxPrices } from './payments/sandbox-prices.js';
import { SandboxPaymentsController } from './sandbox-payments.controller.js';
import { SandboxScheduler } from './scheduler.js';
import { TestControls } from './test-controls.js';
import { SandboxEvents } from './webhooks/events.js';
import { WebhookSender } from './webhooks/webhook-sender.js';

const config: FactoryProvider<PaymentsConfig> = {
  provide: PaymentsConfig,
  inject: [ENVIRONMENT],
  useFactory: (environment: Environment) => PaymentsConfig.fromEnvironment(environment),
};

/** Moves no money, behind the same port as real providers. */
@Module({
  controllers: [SandboxPaymentsController],
  providers: [
    config,
    SandboxDatabase,
    SandboxClock,
    SandboxLedger,
    SandboxPrices,
    SandboxIntents,
    SandboxAgreements,
    OpenInvoices,
    SandboxOrders,
    SandboxEvents,
    WebhookSender,
    SandboxScheduler,
    PortalSessions,
    FaultInjector,
    TestControls,
    SandboxHttpApi,
    ReturnUrls,
    SandboxCards,
    SandboxWallet,
    SandboxPages,
    SandboxWalletPages,
    SandboxPortal,
    { provide: CardProvider, useExisting: SandboxCards },
    { provide: WalletProvider, useExisting: SandboxWallet },
    { provide: ProviderPrices, useExisting: SandboxPrices },
    { provide: BillingClock, useExisting: SandboxClock },
  ],
  exports: [CardProvider, WalletProvider, ProviderPrices, BillingClock],
})
export class SandboxPaymentsModule implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly pages: SandboxPages,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.pages.mount(this.adapter.httpAdapter.getInstance<FastifyInstance>());
  }
}
