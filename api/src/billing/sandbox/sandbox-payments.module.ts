import { ENVIRONMENT, type Environment } from '@clearframe/runtime/config';
import { type FactoryProvider, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { BillingClock, CardProvider, ProviderPrices, WalletProvider } from '../payment-provider.js';
import { PaymentsConfig } from '../payments.config.js';
import { SandboxAgreements } from './agreements.js';
import { SandboxCompany } from './company.js';
import { SandboxEvents } from './events.js';
import { SandboxIntents } from './intents.js';
import { SandboxMessenger } from './messenger.js';
import { OpenInvoices } from './open-invoices.js';
import { SandboxOrders } from './orders.js';
import { SandboxPages } from './pages/pages.js';
import { SandboxPortal } from './pages/portal.js';
import { SandboxWalletPages } from './pages/wallet-pages.js';
import { PortalSessions } from './portal-sessions.js';
import { ReturnAddresses } from './return-address.js';
import { SandboxCards } from './sandbox-cards.js';
import { SandboxClock } from './sandbox-clock.js';
import { SandboxDatabase } from './sandbox-database.js';
import { SandboxDesk } from './sandbox-desk.js';
import { SandboxDoors } from './sandbox-doors.js';
import { SandboxLine } from './sandbox-line.js';
import { SandboxPaymentsController } from './sandbox-payments.controller.js';
import { SandboxPrices } from './sandbox-prices.js';
import { SandboxWallet } from './sandbox-wallet.js';
import { SandboxTimetable } from './timetable.js';

const config: FactoryProvider<PaymentsConfig> = {
  provide: PaymentsConfig,
  inject: [ENVIRONMENT],
  useFactory: (environment: Environment) => PaymentsConfig.fromEnvironment(environment),
};

/** A payment company that moves no money, behind the same port as the real ones. */
@Module({
  controllers: [SandboxPaymentsController],
  providers: [
    config,
    SandboxDatabase,
    SandboxClock,
    SandboxCompany,
    SandboxPrices,
    SandboxIntents,
    SandboxAgreements,
    OpenInvoices,
    SandboxOrders,
    SandboxEvents,
    SandboxMessenger,
    SandboxTimetable,
    PortalSessions,
    SandboxLine,
    SandboxDesk,
    SandboxDoors,
    ReturnAddresses,
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
