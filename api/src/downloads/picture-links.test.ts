import { randomBytes, randomUUID } from 'node:crypto';
import { BASE_PATH } from '@clearframe/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../test/support/application.js';
import { Customer, price } from '../../test/support/billing/customer.js';
import { PictureFactory } from '../../test/support/billing/picture-factory.js';
import { storedMail } from '../../test/support/mail.js';
import { runScheduled } from '../../test/support/scheduled.js';
import { until } from '../../test/support/until.js';
import { newEmail } from '../../test/support/visitor.js';

let api: TestApi;
let factory: PictureFactory;
beforeAll(async () => {
  api = await startApi();
  factory = await PictureFactory.open(api);
});
afterAll(async () => {
  await factory?.close();
  await api.stop();
});

const single = (customer: Customer, taskId: string, rest: object) =>
  customer.visitor.post('/checkouts', {
    price_id: price('single_export_usd'),
    client_task_id: taskId,
    unlocked_exports: 1,
    ...rest,
  });
const open = (token: string) => api.http.post(`${BASE_PATH}/picture-links/open`).send({ token });
const mailTo = (email: string) => storedMail(api, email);
const tokenIn = (body: string): string => /\/photo\?key=([\w-]+)/.exec(body)?.[1] ?? '';

async function paidPicture({ email = newEmail(), confirms = true } = {}) {
  const guest = await Customer.guest(api);
  const taskId = await factory.picture(guest);
  const { body } = await single(guest, taskId, { receipt_email: ` ${email} ` }).expect(201);
  await guest.pay(body.client_secret);
  if (confirms) await guest.confirm(body.client_secret.split('_secret_')[0]).expect(200);
  const [mail] = await until(async () => {
    const messages = await mailTo(email);
    return messages.length > 0 ? messages : null;
  }, 'a receipt');
  return { guest, taskId, email, token: tokenIn(mail?.body ?? '') };
}

describe('the link in a guest’s receipt', () => {
  it('comes with the receipt, once, even if the guest never returned from the payment page', async () => {
    const { email, token } = await paidPicture({ confirms: false });
    const mails = await mailTo(email);
    expect(mails).toMatchObject([{ kind: 'pictureReceipt', body: expect.stringContaining('$4.99') }]);
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    const { body } = await open(token).expect(200);
    expect(body).toMatchObject({ content_type: 'image/jpeg', file_name: null });
  });

  it('opens the clean file of that picture without a session, and nothing else of the guest', async () => {
    const { guest, taskId, token } = await paidPicture();
    const { body, headers } = await open(token).expect(200);
    expect(Object.keys(body).sort()).toEqual(['content_type', 'expires_at', 'file_name', 'height', 'url', 'width']);
    expect(headers['cache-control']).toBe('no-store');
    expect((await fetch(body.url)).status).toBe(200);
    const task = await guest.visitor.task(taskId);
    expect(task).toMatchObject({ status: 'exported', has_watermark: false, expires_at: body.expires_at });
    expect(new URL(body.url).pathname).toBe(new URL(task.output_url).pathname);
    expect(Date.parse(body.expires_at) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    // The guest's own second download is free.
    await guest.download(taskId).expect(200);
    expect(await guest.credits()).toBe(0);
  });

  it('says that the file is being prepared, then gives it', async () => {
    const { token } = await paidPicture();
    factory.renders.setFailing(true);
    expect((await open(token).expect(200)).body).toMatchObject({ url: null, content_type: 'image/jpeg' });
    factory.renders.setFailing(false);
    expect((await open(token).expect(200)).body.url).toEqual(expect.any(String));
  });

  it('is stored as a hash', async () => {
    const { token } = await paidPicture();
    const rows = await api.sql<{ row: string }>('SELECT to_jsonb(l)::text AS row FROM picture_links l');
    expect(
      rows.some(({ row }) => row.includes(token) || row.includes(Buffer.from(token, 'base64url').toString('hex'))),
    ).toBe(false);
  });

  it('works after the guest has logged in', async () => {
    const { guest, token } = await paidPicture();
    await guest.login(newEmail());
    await open(token).expect(200);
  });

  it.each<[string, (paid: Awaited<ReturnType<typeof paidPicture>>) => Promise<unknown>]>([
    ['deleted', ({ guest, taskId }) => guest.visitor.delete('/tasks/delete', { task_ids: [taskId] }).expect(204)],
    ['erased with its owner', ({ guest }) => guest.visitor.delete('/users/@me').expect(204)],
    [
      'expired',
      ({ taskId }) => api.sql(`UPDATE tasks SET expires_at = now() - interval '1 second' WHERE id = $1`, [taskId]),
    ],
  ])('is invalid once the picture is %s', async (_how, end) => {
    const paid = await paidPicture();
    await open(paid.token).expect(200);
    await end(paid);
    const { body } = await open(paid.token).expect(404);
    expect(body.error_code).toBe('picture_links.not_found');
  });

  it('rejects any other token', async () => {
    const { taskId } = await paidPicture();
    for (const token of [randomBytes(16).toString('base64url'), taskId, randomUUID(), '%', "' OR 1=1"]) {
      expect((await open(token).expect(404)).body.error_code).toBe('picture_links.not_found');
    }
    await open('').expect(422);
  });

  it('ignores previews that were made since', async () => {
    const { guest, taskId, token } = await paidPicture();
    const { bulk_upload_id } = await guest.visitor.task(taskId);
    const order = { client_task_id: taskId, ai_pipeline: { color_enhance: { model: 'teal' } }, preview: true };
    await guest.visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/reprocess`, { input_reprocess_list: [order] });
    await factory.worker.end(taskId, (run) => factory.worker.finish(run));
    await until(async () => (await guest.visitor.task(taskId)).result.outputs.length === 2, 'the preview');
    const { body } = await open(token).expect(200);
    const task = await guest.visitor.task(taskId);
    expect(new URL(body.url).pathname).toBe(new URL(task.result.outputs[1].url).pathname);
  });
});

describe('the receipt address', () => {
  it('must be valid', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const { body } = await single(guest, taskId, { receipt_email: 'ada@example' }).expect(422);
    expect(body.details).toHaveProperty('receipt_email');
  });

  it('is optional: without it there is no mail and no link', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const { body } = await single(guest, taskId, { receipt_email: null }).expect(201);
    await guest.pay(body.client_secret);
    await guest.confirm(body.client_secret.split('_secret_')[0]).expect(200);
    expect(await api.sql('SELECT FROM mail_messages WHERE user_id = $1', [await guest.userId()])).toEqual([]);
    expect(await api.sql('SELECT FROM picture_links WHERE task_id = $1', [taskId])).toEqual([]);
  });

  it('is the last one entered', async () => {
    const guest = await Customer.guest(api);
    const taskId = await factory.picture(guest);
    const [first, last] = [newEmail(), newEmail()];
    await single(guest, taskId, { receipt_email: first }).expect(201);
    const { body } = await single(guest, taskId, { receipt_email: last }).expect(201);
    await guest.pay(body.client_secret);
    await guest.confirm(body.client_secret.split('_secret_')[0]).expect(200);
    expect([await mailTo(first), await mailTo(last)]).toMatchObject([[], [{ kind: 'pictureReceipt' }]]);
  });

  it('of a member is ignored: the receipt goes to the account', async () => {
    const email = newEmail();
    const member = await Customer.member(api, { email });
    const taskId = await factory.picture(member);
    const other = newEmail();
    const { body } = await single(member, taskId, { receipt_email: other }).expect(201);
    await member.pay(body.client_secret);
    await member.confirm(body.client_secret.split('_secret_')[0]).expect(200);
    expect(await mailTo(other)).toEqual([]);
    expect(await mailTo(email)).toMatchObject([{ kind: 'receipt' }]);
  });

  it('also works for a wallet', async () => {
    const guest = await Customer.guest(api);
    const [taskId, email] = [await factory.picture(guest), newEmail()];
    await single(guest, taskId, { receipt_email: email, provider: 'paypal' }).expect(201);
    const chargeId = await guest.walletCharge(499, 'usd');
    const charge = { charge_id: chargeId, amount_cents: 499, currency: 'usd', client_task_id: taskId };
    await guest.visitor.post('/paypal/charges', { ...charge, unlocked_exports: 1 }).expect(201);
    const [mail] = await mailTo(email);
    await open(tokenIn(mail?.body ?? '')).expect(200);
  });

  it("is in the guest's data export, the link is not; both are deleted after 30 days", async () => {
    const { guest, email, token } = await paidPicture();
    const { body } = await guest.visitor.get('/users/@me/export').expect(200);
    expect(body.checkouts).toMatchObject([{ receipt_email: email }]);
    expect(body.mail).toMatchObject([{ kind: 'pictureReceipt', recipient: email, text: null }]);
    expect(JSON.stringify(body)).not.toContain(token);
    await api.sql(`UPDATE checkouts SET created_at = now() - interval '31 days' WHERE receipt_email = $1`, [email]);
    await api.sql(`UPDATE mail_messages SET created_at = now() - interval '31 days' WHERE recipient = $1`, [email]);
    await runScheduled(api, 'retention.');
    for (const table of ['checkouts', 'mail_messages']) {
      const rows = await api.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t`);
      expect(rows.filter(({ row }) => row.includes(email) || row.includes(token))).toEqual([]);
    }
  });

  it("of a guest's wallet is deleted after 30 days, and not earlier", async () => {
    const guest = await Customer.guest(api);
    const email = newEmail();
    const charge = { charge_id: await guest.walletCharge(499, 'usd'), amount_cents: 499, currency: 'usd' };
    const order = { client_task_id: await factory.picture(guest), unlocked_exports: 1, paypal_email_address: email };
    await guest.visitor.post('/paypal/charges', { ...charge, ...order }).expect(201);
    const readEmail = () => api.sql('SELECT payer_email FROM payments WHERE provider_id = $1', [charge.charge_id]);
    const age = async (days: number) => {
      const statement = 'UPDATE payments SET created_at = now() - make_interval(days => $2) WHERE provider_id = $1';
      await api.sql(statement, [charge.charge_id, days]);
      await runScheduled(api, 'retention.');
    };
    await age(29);
    expect(await readEmail()).toEqual([{ payer_email: email }]);
    await age(31);
    expect(await readEmail()).toEqual([{ payer_email: null }]);
  });
});
