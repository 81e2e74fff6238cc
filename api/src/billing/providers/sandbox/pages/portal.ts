import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../../../../platform/config/app.config.js';
import { AppError } from '../../../../platform/errors/app-error.js';
import type { SubscriptionSnapshot } from '../../port/payment-provider.js';
import { Agreement } from '../core/ledger.entities.js';
import { InvalidSandboxRequest, SandboxLedger } from '../core/ledger.js';
import { SandboxAgreements } from '../payments/agreements.js';
import { OpenInvoices } from '../payments/open-invoices.js';
import { PORTAL_PATH, PortalSessions } from '../payments/portal-sessions.js';
import { subscriptionSnapshot } from '../payments/snapshots.js';
import { formOf, sendPage } from './page-scope.js';
import { portalPage } from './portal-page.js';

const BACK_PATH = '/account';

@Injectable()
export class SandboxPortal {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly ledger: SandboxLedger,
    private readonly agreements: SandboxAgreements,
    private readonly openInvoices: OpenInvoices,
    private readonly app: AppConfig,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(`${PORTAL_PATH}/:token`, (request, reply) => this.show(request, reply, null));
    scope.post(`${PORTAL_PATH}/:token`, (request, reply) => this.act(request, reply));
  }

  private async show(request: FastifyRequest, reply: FastifyReply, problem: string | null): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const subscriptions = await this.subscriptionsOf(await this.sessions.customerOf(token));
    const page = portalPage(`${PORTAL_PATH}/${token}`, subscriptions, `${this.app.publicUrl}${BACK_PATH}`, problem);
    return sendPage(reply, page, problem === null ? 200 : 422);
  }

  private async act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const form = formOf(request);
    const [action, id = ''] = (form.get('action') ?? '').split(':');
    const own = await this.subscriptionsOf(await this.sessions.customerOf(token));
    if (!own.some((subscription) => subscription.id === id)) throw new AppError('subscriptions.not_found');
    const problem = await this.perform(action, id, form.get(`card_number:${id}`) ?? '');
    if (problem !== null) return this.show(request, reply, problem);
    return reply.redirect(`${this.app.publicUrl}${PORTAL_PATH}/${token}`, 303);
  }

  /** @returns the error message, or null */
  private async perform(action: string | undefined, id: string, cardNumber: string): Promise<string | null> {
    try {
      if (action === 'cancel') await this.agreements.setCancelAtPeriodEnd(id, true);
      if (action === 'resume') await this.agreements.setCancelAtPeriodEnd(id, false);
      if (action !== 'pay') return null;
      const failure = await this.openInvoices.payByCard(id, cardNumber);
      return failure === null ? null : 'This card was declined. Please try another one.';
    } catch (error) {
      if (error instanceof InvalidSandboxRequest) return 'This can no longer be changed.';
      if (error instanceof AppError) return 'That is not the number of a test card. It was not stored.';
      throw error;
    }
  }

  private subscriptionsOf(customerId: string): Promise<SubscriptionSnapshot[]> {
    return this.ledger.read(async (manager) => {
      const agreements = await manager.find(Agreement, { where: { customerId }, order: { createdAt: 'DESC' } });
      const snapshots: SubscriptionSnapshot[] = [];
      for (const agreement of agreements) snapshots.push(await subscriptionSnapshot(manager, agreement));
      return snapshots;
    });
  }
}
