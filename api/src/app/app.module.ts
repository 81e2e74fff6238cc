import { RUN_QUEUES } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { HealthModule } from '@clearframe/runtime/health';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { AnalysesModule } from '../analyses/analyses.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { BillingAccountsModule } from '../billing-accounts/billing-accounts.module.js';
import { Fingerprints } from '../billing-accounts/fingerprints.js';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { EnhanceModule } from '../enhance/enhance.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExperimentsModule } from '../experiments/experiments.module.js';
import { GiftCodesModule } from '../gift-codes/gift-codes.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { IdentityConfig } from '../identity/identity-provider.js';
import { InvoicesModule } from '../invoices/invoices.module.js';
import { LooksModule } from '../looks/looks.module.js';
import { MailModule } from '../mail/mail.module.js';
import { MobileModule } from '../mobile-accounts/mobile.module.js';
import { OperationMetricsModule } from '../operation-metrics/operation-metrics.module.js';
import { PaymentGateModule } from '../payment-gate/payment-gate.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { AppConfig } from '../platform/config/app.config.js';
import { PlatformModule } from '../platform/platform.module.js';
import { sandboxUrlIn } from '../platform/sandbox.js';
import { WorkScheduleModule } from '../platform/schedule/work-scheduler.js';
import { StorageModule } from '../platform/storage/storage.module.js';
import { PluginKeysModule } from '../plugin-keys/plugin-keys.module.js';
import { PaymentsConfig } from '../providers/payments.config.js';
import { PaymentProvidersModule } from '../providers/providers.module.js';
import { RemoteFilesModule } from '../remote-files/remote-files.module.js';
import { ReportsProcessor } from '../runs/reports.processor.js';
import { createRunEventsListener } from '../runs/run-events.listener.js';
import { RunSweep } from '../runs/run-sweep.js';
import { RunsModule } from '../runs/runs.module.js';
import { ServiceStatusModule, ServiceWatchModule } from '../service-status/service-status.module.js';
import { AuthConfig } from '../sessions/token.service.js';
import { SettingsModule } from '../settings/settings.module.js';
import { SharingsModule } from '../sharing/sharings.module.js';
import { StaffModule } from '../staff/staff.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { SupportModule } from '../support/support.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { UploadTokensModule } from '../upload-tokens/upload-tokens.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { UsersModule } from '../users/users.module.js';
import { VideosModule } from '../videos/videos.module.js';
import { WebhookDeliveriesModule } from '../webhook-deliveries/webhook-deliveries.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessCheck } from './access-check.js';
import { RetentionService } from './retention.service.js';

/** Omitted with `API_ROLE=http`. */
@Module({
  imports: [
    BillingAccountsModule,
    OperationMetricsModule,
    PaymentsModule,
    RemoteFilesModule,
    PluginKeysModule,
    RunsModule,
    ServiceWatchModule,
    StorageModule,
    SubscriptionsModule,
    TasksModule,
    UsersModule,
    WebhooksModule,
    WorkScheduleModule,
  ],
  providers: [RetentionService, RunSweep, ReportsProcessor, ...RUN_QUEUES.map(createRunEventsListener)],
})
class JobsModule {}

async function forward(sandboxUrl: string, environment: Environment): Promise<DynamicModule> {
  const { SandboxModule } = await import('./sandbox.module.js');
  return SandboxModule.at(sandboxUrl, environment);
}

@Module({})
export class AppModule {
  static forEnvironment(environment: Environment, extraModules: readonly Type[] = []): DynamicModule {
    const { runsJobs } = AppConfig.fromEnvironment(environment);
    // Fails the boot on invalid settings before any connection is opened.
    for (const config of [AuthConfig, IdentityConfig, PaymentsConfig, Fingerprints])
      config.fromEnvironment(environment);
    const sandboxUrl = sandboxUrlIn(environment);
    return {
      module: AppModule,
      imports: [
        PlatformModule.forEnvironment(environment),
        ScheduleModule.forRoot(),
        HealthModule.requiring('postgres', 'redis', 'storage', 'worker'),
        IdentityModule.forEnvironment(environment),
        PaymentProvidersModule.forEnvironment(environment),
        UsersModule,
        PluginKeysModule,
        UploadTokensModule,
        TasksModule,
        UploadsModule,
        DownloadsModule,
        AnalysesModule,
        EnhanceModule,
        LooksModule,
        SharingsModule,
        BillingModule,
        VideosModule,
        WebhookDeliveriesModule,
        WebhooksModule,
        InvoicesModule.forEnvironment(environment),
        MailModule.forEnvironment(environment),
        PaymentGateModule.forEnvironment(environment),
        StaffModule.forEnvironment(environment),
        ExperimentsModule,
        ServiceStatusModule,
        SettingsModule,
        MobileModule.forEnvironment(environment),
        GiftCodesModule,
        EventsModule,
        SupportModule.forEnvironment(environment),
        ...(runsJobs ? [JobsModule] : []),
        ...(sandboxUrl === null ? [] : [forward(sandboxUrl, environment)]),
        ...extraModules,
      ],
      providers: [{ provide: APP_GUARD, useClass: AccessGuard }, AccessCheck],
    };
  }
}
