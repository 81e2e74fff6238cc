import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../core/ids.js';
import type { Ledger } from '../core/ledger.js';
import { Rejection } from '../core/problem.js';
import type { ReturnUrls } from '../core/return-urls.js';
import { updateSubscription } from '../stripe/billing/subscriptions.js';
import type { Confirmations } from '../stripe/confirmations.js';
import { StripeError } from '../stripe/model/errors.js';
import { listObjects, type PortalSession, type Subscription } from '../stripe/model/objects.js';
import { formOf, sendPage } from './page-scope.js';
import { type PortalContents, portalPage } from './portal-page.js';

export const PORTAL_PATH = '/api/sandbox/pages/portal';

export class PortalPages {
  constructor(
    private readonly ledger: Ledger,
    private readonly confirmations: Confirmations,
    private readonly returns: ReturnUrls,
  ) {}

  mount(scope: FastifyInstance): void {
    scope.get(`${PORTAL_PATH}/:token`, (request, reply) => this.show(request, reply, null));
    scope.post(`${PORTAL_PATH}/:token`, (request, reply) => this.act(request, reply));
  }

  private async show(request: FastifyRequest, reply: FastifyReply, problem: string | null): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const session = await this.sessionOf(token);
    const backUrl = session.return_url ?? this.returns.publicUrl;
    const page = portalPage(`${PORTAL_PATH}/${token}`, await this.contentsOf(session), backUrl, problem);
    return sendPage(reply, page, problem === null ? 200 : 422);
  }

  private async act(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token } = request.params as { token: string };
    const form = formOf(request);
    const [action, id = ''] = (form.get('action') ?? '').split(':');
    const own = await this.subscriptionsOf(await this.sessionOf(token));
    if (!own.some((subscription) => subscription.id === id)) throw new Rejection('subscriptions.not_found');
    const problem = await this.perform(action, id, form.get(`card_number:${id}`) ?? '');
    if (problem !== null) return this.show(request, reply, problem);
    return reply.redirect(`${this.returns.publicUrl}${PORTAL_PATH}/${token}`, 303);
  }

  /** @returns the error message, or null */
  private async perform(action: string | undefined, id: string, cardNumber: string): Promise<string | null> {
    try {
      if (action === 'cancel' || action === 'resume') {
        const change = { cancel_at_period_end: action === 'cancel' };
        await this.ledger.transact((tx) => updateSubscription(tx, id, change));
      }
      if (action !== 'pay') return null;
      const failure = await this.confirmations.payOpenInvoice(id, cardNumber);
      return failure === null ? null : 'This card was declined. Please try another one.';
    } catch (error) {
      if (error instanceof StripeError) return 'This can no longer be changed.';
      if (error instanceof Rejection) return 'That is not the number of a test card. It was not stored.';
      throw error;
    }
  }

  private async sessionOf(token: string): Promise<PortalSession> {
    const [session] = await this.ledger.read((reader) =>
      listObjects(reader, 'billing_portal.session', { _tokenHash: sha256(token) }),
    );
    if (!session || session._expiresAt * 1000 < Date.now()) throw new Rejection('request.not_found');
    return session;
  }

  private contentsOf({ customer }: PortalSession): Promise<PortalContents> {
    return this.ledger.read(async (reader) => ({
      subscriptions: await listObjects(reader, 'subscription', { customer }),
      methods: await listObjects(reader, 'payment_method', { customer }),
      paid: (await listObjects(reader, 'invoice', { customer })).filter(({ amount_paid: amount }) => amount > 0),
    }));
  }

  private subscriptionsOf({ customer }: PortalSession): Promise<Subscription[]> {
    return this.ledger.read((reader) => listObjects(reader, 'subscription', { customer }));
  }
}
