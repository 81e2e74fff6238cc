import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../test/support/application.js';
import { CARD } from '../../../test/support/billing/card-payer.js';
import { newKey, PAGES, PageClient, RETURN, SandboxClient } from '../../../test/support/billing/sandbox-provider.js';

let api: TestApi;
let sandbox: SandboxClient;
let pages: PageClient;
beforeAll(async () => {
  api = await startApi();
  sandbox = new SandboxClient(api);
  pages = new PageClient(api);
});
afterAll(() => api.stop());

describe('the wallet’s pages', () => {
  const terms = () => ({
    amountCents: 2499,
    currency: 'usd' as const,
    returnUrl: `${api.url}${RETURN}`,
    key: newKey(),
  });
  const approvalOf = async (planId: string | null, customId = `buyer-${newKey()}`) => {
    const url = new URL(await sandbox.wallet.approvalPage({ ...terms(), planId, customId }));
    return { path: url.pathname.slice(`${PAGES}/`.length), query: Object.fromEntries(url.searchParams), customId };
  };

  it.each(['approve', 'decline'])('a plan: %s', async (action) => {
    const { path, query, customId } = await approvalOf(sandbox.prices.walletPlansOf('personal_yearly_usd').withTrial);
    expect((await pages.open(path, query).expect(200)).text).toContain('$260.99');
    expect(await sandbox.read(query.id ?? '')).toMatchObject({ status: 'incomplete', reference: customId });
    const { headers } = await pages.send(path, { ...query, action }).expect(303);
    const { result } = pages.resultOf(headers.location);
    if (action === 'decline') return expect(result).toEqual({ v: 'ft', redirect_status: 'canceled' });
    expect(result).toMatchObject({ redirect_status: 'succeeded', subscription_id: query.id });
    expect(await sandbox.read(query.id ?? '')).toMatchObject({ status: 'trialing' });
    await pages.send(path, { ...query, action }).expect(303);
    expect(await sandbox.read(query.id ?? '')).toMatchObject({ status: 'trialing' });
  });

  it.each(['approve', 'decline'])('a payment: %s', async (action) => {
    const { path, query } = await approvalOf(null);
    expect((await pages.open(path, query).expect(200)).text).toContain('$24.99');
    const { headers } = await pages.send(path, { ...query, action }).expect(303);
    const { result } = pages.resultOf(headers.location);
    const status = action === 'approve' ? 'approved' : 'pending';
    expect(await sandbox.wallet.readPayment(query.token ?? '')).toMatchObject({ amountCents: 2499, status });
    if (action === 'decline') return expect(result).toEqual({ v: 'ft', redirect_status: 'canceled' });
    expect(result).toEqual({ v: 'ft', redirect_status: 'succeeded', token: query.token });
  });

  it('exist for what was created, and lead to the product only', async () => {
    await pages.open('wallet/subscription', { id: 'sbx_sub_none' }).expect(404);
    await pages.send('wallet/charge', { token: 'sbx_ch_none', action: 'approve' }).expect(404);
    const returnUrl = 'https://elsewhere.example/';
    const approval = { ...terms(), returnUrl, planId: null, customId: 'buyer-1' };
    const token = new URL(await sandbox.wallet.approvalPage(approval)).searchParams.get('token') ?? '';
    await pages.send('wallet/charge', { token, action: 'approve' }).expect(422);
    expect(await sandbox.wallet.readPayment(token)).toMatchObject({ status: 'pending' });
  });
});

describe('the portal', () => {
  const portalOf = async (customerId: string): Promise<string> => {
    const address = await sandbox.cards.openPortal(customerId);
    expect(address.startsWith(`${api.url}${PAGES}/portal/`)).toBe(true);
    return address.slice(`${api.url}${PAGES}/`.length);
  };

  it('cancels and resumes', async () => {
    const holder = await sandbox.cardHolder();
    const { id } = await sandbox.subscribe(holder);
    const portal = await portalOf(holder.customerId);
    expect((await pages.open(portal).expect(200)).text).toContain('Cancel subscription');
    await pages.send(portal, { action: `cancel:${id}` }).expect(303);
    expect(await sandbox.read(id)).toMatchObject({ cancelAtPeriodEnd: true });
    expect((await pages.open(portal).expect(200)).text).toContain('Resume subscription');
    await pages.send(portal, { action: `resume:${id}` }).expect(303);
    expect(await sandbox.read(id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it('accepts another card for an open invoice', async () => {
    const holder = await sandbox.cardHolder(CARD.chargeFails);
    const { id } = await sandbox.subscribe(holder);
    const portal = await portalOf(holder.customerId);
    for (const number of [CARD.declined, '4012888888881881', '']) {
      const { text } = await pages.send(portal, { action: `pay:${id}`, [`card_number:${id}`]: number }).expect(422);
      expect(text).toContain('role="alert"');
    }
    await pages.send(portal, { action: `pay:${id}`, [`card_number:${id}`]: CARD.succeeds }).expect(303);
    expect(await sandbox.read(id)).toMatchObject({ status: 'active' });
  });

  it("shows one customer's subscriptions only", async () => {
    const { id } = await sandbox.subscribe();
    const otherUser = await portalOf(await sandbox.customer());
    expect((await pages.open(otherUser).expect(200)).text).not.toContain(id);
    await pages.send(otherUser, { action: `cancel:${id}` }).expect(404);
    expect(await sandbox.read(id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it('expires after an hour', async () => {
    const portal = await portalOf(await sandbox.customer());
    await api.sql(
      `UPDATE sandbox.objects SET body = body || '{"_expiresAt": 0}' WHERE type = 'billing_portal.session'`,
    );
    await pages.open(portal).expect(404);
    await pages.open('portal/guessed').expect(404);
  });
});
