import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { CaptchaRoutes } from './captcha.js';
import type { SandboxConfig } from './core/config.js';
import { SandboxDatabase } from './core/database.js';
import { Faults } from './core/faults.js';
import { Ledger } from './core/ledger.js';
import { Rejection, respondWithProblem } from './core/problem.js';
import { ReturnUrls } from './core/return-urls.js';
import { type DueChanges, Scheduler } from './core/scheduler.js';
import { WebhookSender } from './core/webhook-sender.js';
import { DeveloperRoutes } from './developer-routes.js';
import { Accounts } from './identity/accounts.js';
import { IdentityRoutes, IdentityTokens, SigningKeys } from './identity/identity.js';
import { MailRoutes } from './mail/mail.js';
import { Mailbox } from './mail/mailbox.js';
import { MobileRoutes } from './mobile.js';
import { CardPages } from './pages/card-pages.js';
import { pageScope } from './pages/layout.js';
import { PORTAL_PATH, PortalPages } from './pages/portal-pages.js';
import { PayPalSdkRoutes, WalletPages } from './pages/wallet-pages.js';
import { PayPalApi } from './paypal/api.js';
import { signedHeaders } from './paypal/events.js';
import { voidOrder } from './paypal/orders.js';
import { paypalRoutes } from './paypal/routes.js';
import { advanceSubscription as advanceWalletSubscription } from './paypal/subscriptions.js';
import { Wallet } from './paypal/wallet.js';
import { StripeApi } from './stripe/api.js';
import { billingRoutes } from './stripe/billing-routes.js';
import { Confirmations } from './stripe/confirmations.js';
import { stripeSignature } from './stripe/events.js';
import { advanceSubscription } from './stripe/lifecycle.js';
import { findObject } from './stripe/objects.js';
import { checkoutRoutes, PAYMENT_ROUTES } from './stripe/payment-routes.js';
import { cancelIntent } from './stripe/payments.js';
import { expireSession } from './stripe/sessions.js';
import { StripeControls } from './stripe/test-controls.js';
import { TicketPage } from './zendesk/ticket-page.js';
import { type StoredTicket, Tickets } from './zendesk/tickets.js';
import { ZendeskApi } from './zendesk/zendesk-api.js';

/** In place of Stripe.js, PayPal's SDK and reCAPTCHA's script. */
const SCRIPTS = ['stripe.js', 'paypal.js', 'recaptcha.js'];

async function mountScripts(fastify: FastifyInstance): Promise<void> {
  for (const name of SCRIPTS) {
    const script = await readFile(new URL(`../browser/${name}`, import.meta.url), 'utf8');
    fastify.get(`/api/sandbox/scripts/${name}`, (_request, reply) =>
      reply.header('content-type', 'text/javascript; charset=utf-8').header('cache-control', 'no-store').send(script),
    );
  }
}

export type { SandboxConfig } from './core/config.js';

export interface Sandbox {
  readonly url: string;
  readonly faults: Faults;
  readonly walletFaults: Faults;
  readonly supportFaults: Faults;
  /** Requests to customer support, newest first. */
  tickets(): Promise<StoredTicket[]>;
  readonly webhooks: WebhookSender;
  readonly confirmations: Confirmations;
  readonly stripe: StripeControls;
  readonly wallet: Wallet;
  stop(): Promise<void>;
}

const DUE_CHANGES: DueChanges = {
  subscription: advanceSubscription,
  setup_intent: async (tx, id) => {
    const intent = await findObject(tx, 'setup_intent', id);
    if (intent) await cancelIntent(tx, intent);
  },
  payment_intent: async (tx, id) => {
    const intent = await findObject(tx, 'payment_intent', id);
    if (intent) await cancelIntent(tx, intent);
  },
  'checkout.session': async (tx, id) => {
    const session = await findObject(tx, 'checkout.session', id);
    if (session) await expireSession(tx, session);
  },
  'paypal.subscription': advanceWalletSubscription,
  'paypal.order': voidOrder,
};

/** Starts the sandbox: the APIs of Stripe, PayPal and Zendesk at `/v1`, `/v2` and `/api/v2`, pages and developer routes at `/api/sandbox`. */
export async function startSandbox(config: SandboxConfig, report: (message: string) => void): Promise<Sandbox> {
  const database = new SandboxDatabase(config.databaseUrl);
  await database.migrate();
  const ledger = new Ledger(database);
  const { webhookUrl, webhookSecret, secretKey } = config.stripe;
  const { paypal } = config;
  const webhooks = new WebhookSender(
    ledger,
    {
      stripe:
        webhookUrl === null
          ? null
          : {
              url: webhookUrl,
              sign: (body, at) => ({ 'stripe-signature': stripeSignature(webhookSecret, body, at) }),
            },
      paypal:
        paypal.webhookUrl === null
          ? null
          : {
              url: paypal.webhookUrl,
              sign: (body, at) => signedHeaders(paypal.clientSecret, paypal.webhookId, body, at),
            },
    },
    report,
  );
  const scheduler = new Scheduler(ledger, webhooks, DUE_CHANGES, report);
  const faults = new Faults();
  const walletFaults = new Faults();
  const supportFaults = new Faults();
  const wallet = new Wallet(ledger, paypal.merchantId);
  const returns = new ReturnUrls(config.publicUrl);
  const confirmations = new Confirmations(ledger);

  const fastify = Fastify({ logger: false, forceCloseConnections: true, requestIdHeader: 'x-request-id' });
  fastify.setNotFoundHandler((request, reply) =>
    respondWithProblem(new Rejection('request.not_found'), request, reply),
  );
  fastify.get('/healthz', async () => ({ status: 'ok' }));
  await mountScripts(fastify);
  const routes = [
    ...PAYMENT_ROUTES,
    ...checkoutRoutes(returns.pageOf('checkout')),
    ...billingRoutes(`${config.publicUrl}${PORTAL_PATH}`),
  ];
  const walletSettings = {
    webhookSecret: paypal.clientSecret,
    merchantId: paypal.merchantId,
    subscriptionPage: returns.pageOf('wallet/subscription'),
    orderPage: returns.pageOf('wallet/charge'),
  };
  await new StripeApi(ledger, faults, routes, secretKey).mount(fastify);
  await new PayPalApi(ledger, walletFaults, paypalRoutes(walletSettings), paypal).mount(fastify);
  await new PayPalSdkRoutes(wallet, paypal.clientId).mount(fastify);
  await new DeveloperRoutes(ledger, confirmations, wallet, scheduler, webhooks, returns).mount(fastify);
  await pageScope(fastify, config.publicUrl, (scope) => {
    new CardPages(ledger, confirmations, returns).mount(scope);
    new PortalPages(ledger, confirmations, returns).mount(scope);
    new WalletPages(wallet, returns).mount(scope);
  });
  const [keys, accounts] = [new SigningKeys(database), new Accounts(database)];
  await new IdentityRoutes(keys, accounts, new IdentityTokens(keys, accounts)).mount(fastify);
  await new MobileRoutes(database).mount(fastify);
  if (config.captchaSecretKey) await new CaptchaRoutes(config.publicUrl, config.captchaSecretKey).mount(fastify);
  const tickets = new Tickets(database);
  if (config.zendesk) {
    await new ZendeskApi(tickets, supportFaults, config.zendesk).mount(fastify);
    new TicketPage(tickets).mount(fastify);
  }
  if (config.mailFolder) await new MailRoutes(new Mailbox(config.mailFolder), config.publicUrl).mount(fastify);
  await fastify.listen({ host: config.host, port: config.port });
  scheduler.start();
  const { port } = fastify.server.address() as AddressInfo;
  return {
    url: `http://${config.host}:${port}`,
    faults,
    walletFaults,
    supportFaults,
    tickets: () => tickets.list(),
    webhooks,
    confirmations,
    stripe: new StripeControls(ledger),
    wallet,
    stop: async () => {
      await scheduler.stop();
      await webhooks.stop();
      await fastify.close();
      await database.close();
    },
  };
}
