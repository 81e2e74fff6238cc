import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { checkout, refusalMailsTo, resultOf, sweepCheckouts } from '../../test/support/billing/approvals.js';
import { Customer, controlsOf } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi();
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  await controlsOf(api).webhooks('sent');
  await factory?.close();
  await api.stop();
});

const approveCharge = (customId: string, amountCents: number): Promise<string> =>
  api.providers.approveOrder({ amountCents, currency: 'usd', customId });

const orderState = async (id: string) =>
  (await api.sql<{ status: string }>('SELECT status FROM ledger.orders WHERE id = $1', [id]))[0]?.status;

/** @returns what a wallet must carry to pay for the guest's picture */
async function guestWithWalletCheckout() {
  const guest = await Customer.guest(api);
  const taskId = await factory.picture(guest);
  const customId = await checkout(guest, 'single_export_usd', { client_task_id: taskId, unlocked_exports: 1 });
  return { guest, taskId, customId };
}
const reportCharge = (customer: Customer, chargeId: string, taskId: string) =>
  customer.visitor.post('/paypal/charges', {
    charge_id: chargeId,
    amount_cents: 499,
    currency: 'usd',
    unlocked_exports: 1,
    client_task_id: taskId,
  });

describe('a payment approved in the wallet', () => {
  it('for a pack is captured once, without its return', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'three_exports_usd', { unlocked_exports: 3 });
    const id = await approveCharge(customId, 999);
    await until(async () => (await member.credits()) === 3, 'the adoption');
    const body = { charge_id: id, amount_cents: 999, currency: 'usd', unlocked_exports: 3 };
    expect(resultOf(await member.visitor.post('/paypal/charges', body))).toEqual([201, 'succeeded']);
    expect(await member.credits()).toBe(3);
  });

  it('is found by the sweep when its event is lost, too', async () => {
    const member = await Customer.member(api);
    const customId = await checkout(member, 'three_exports_usd', { unlocked_exports: 3 });
    await controlsOf(api).webhooks('withheld');
    await approveCharge(customId, 999);
    await sweepCheckouts(member);
    await until(async () => (await member.credits()) === 3, 'the sweep');
    await controlsOf(api).webhooks('sent');
  });

  it('by a guest unlocks the picture without its return', async () => {
    const { guest, taskId, customId } = await guestWithWalletCheckout();
    await approveCharge(customId, 499);
    await until(async () => (await guest.credits()) === 1, 'the adoption');
    const [row] = await api.sql<{ task_id: string }>('SELECT task_id FROM payments WHERE user_id = $1', [
      await guest.userId(),
    ]);
    expect(row?.task_id).toBe(taskId);
  });

  it('by a guest who logs in before the return unlocks the picture', async () => {
    const { guest, taskId, customId } = await guestWithWalletCheckout();
    await controlsOf(api).webhooks('withheld');
    const id = await approveCharge(customId, 499);
    const member = await guest.login(newEmail());
    const responses = await Promise.all([reportCharge(member, id, taskId), reportCharge(member, id, taskId)]);
    await controlsOf(api).webhooks('sent');
    expect(responses.map(resultOf)).toEqual(new Array(2).fill([201, 'succeeded']));
    expect(await member.credits()).toBe(1);
  });

  it('by a guest who logs in and never returns belongs to the account', async () => {
    const { guest, customId } = await guestWithWalletCheckout();
    await controlsOf(api).webhooks('withheld');
    const id = await approveCharge(customId, 499);
    const member = await guest.login(newEmail());
    await controlsOf(api).webhooks('sent');
    await until(async () => (await member.credits()) === 1, 'the adoption');
    expect(await orderState(id)).toBe('captured');
  });

  it('of another amount is not captured', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    const customId = await checkout(member, 'three_exports_usd', { unlocked_exports: 3 });
    const id = await approveCharge(customId, 1);
    await until(async () => (await refusalMailsTo(api, email)).length === 1, 'the mail');
    expect((await refusalMailsTo(api, email))[0]?.body).toContain('Nothing was charged');
    expect([await orderState(id), await member.credits()]).toEqual(['approved', 0]);
  });
});
