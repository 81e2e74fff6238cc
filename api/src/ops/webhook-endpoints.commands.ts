import { parseArgs } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import { UserRepository } from '../users/user.repository.js';
import {
  type ListedDelivery,
  WebhookDeliveriesRepository,
} from '../webhook-deliveries/webhook-deliveries.repository.js';
import { type EndpointRow, WebhookEndpointsRepository } from '../webhook-endpoints/webhook-endpoints.repository.js';
import { type Command, table, UsageError } from './command.js';

const LISTED = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function idIn(id: string | undefined, name: string): string {
  if (!id || !UUID.test(id)) throw new UsageError(`give the id of ${name}`);
  return id;
}

/** Without the query, in which customers pass secrets. */
function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

async function userIn(account: string | undefined, database: DataSource): Promise<string | undefined> {
  if (account === undefined || UUID.test(account)) return account;
  const [user] = await new UserRepository(database).listByVerifiedEmail(account);
  if (!user) throw new UsageError(`no account with the verified address ${account}`);
  return user.id;
}

function stateOf({ disabledReason, failingSince }: EndpointRow): string {
  if (disabledReason) return `off: ${disabledReason}`;
  return failingSince ? `failing since ${failingSince.toISOString()}` : 'on';
}

const endpoints: Command = {
  name: 'webhooks endpoints',
  usage: '[account] [--failing]',
  summary: `show ${LISTED} endpoints of customers, those that fail longest first; an account is an id or email address`,
  async run(args, { database }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { failing: { type: 'boolean', default: false } },
    });
    const userId = await userIn(positionals[0], database);
    const rows = await new WebhookEndpointsRepository(database).listAll({
      userId,
      onlyFailing: values.failing,
      limit: LISTED,
    });
    const cells = rows.map((row) => [
      row.id,
      row.userId,
      stateOf(row),
      shownAddress(row.url),
      row.createdAt.toISOString(),
    ]);
    return table([['ENDPOINT', 'ACCOUNT', 'STATE', 'ADDRESS', 'CREATED'], ...cells]);
  },
};

/** `500 after 71 ms`, or why there is no answer. */
function lastAnswerOf({ attempts }: ListedDelivery): string {
  const last = attempts.at(-1);
  return last ? `${last.status ?? last.error} after ${last.durationMs} ms` : '';
}

const deliveries: Command = {
  name: 'webhooks deliveries',
  usage: '<account> [--failed]',
  summary: `show the last ${LISTED} messages to an account's endpoints and callbacks, or those that failed`,
  async run(args, { database }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { failed: { type: 'boolean', default: false } },
    });
    const userId = await userIn(positionals[0], database);
    if (!userId) throw new UsageError('give the account; `webhooks endpoints` shows it');
    const filter = values.failed ? { status: 'failed' as const } : {};
    const rows = await new WebhookDeliveriesRepository(database).list(userId, filter, undefined, LISTED);
    const cells = rows.map((row) => [
      row.id,
      row.isCallback ? 'callback' : row.endpointId,
      row.type,
      row.skipReason ? `skipped: ${row.skipReason}` : row.status,
      String(row.attempts.length),
      lastAnswerOf(row),
      shownAddress(row.url),
      row.createdAt.toISOString(),
    ]);
    return table([
      ['DELIVERY', 'ENDPOINT', 'TYPE', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'ADDRESS', 'CREATED'],
      ...cells,
    ]);
  },
};

const resend: Command = {
  name: 'webhooks resend',
  usage: '<delivery>',
  summary: 'send a message again within seconds, with the same `webhook-id`',
  async run([argument], { database, audit, actor }) {
    const id = idIn(argument, 'a delivery; `webhooks deliveries` shows it');
    const repository = new WebhookDeliveriesRepository(database);
    await database.transaction(async (manager) => {
      const endpointId = await repository.endpointOf(manager, id);
      if (endpointId === null) throw new UsageError(`no delivery ${id}`);
      const endpoint = await new WebhookEndpointsRepository(database).find(endpointId);
      if (endpoint?.disabledReason) throw new UsageError(`its endpoint ${endpointId} is off`);
      await repository.sendAgain(manager, id);
      await audit.record({ actor, action: 'webhooks.resend', details: { id } }, manager);
    });
    return `${id} will be sent again`;
  },
};

type Change = (repository: WebhookEndpointsRepository, manager: EntityManager, id: string) => Promise<boolean>;

const switchCommand = (name: 'enable' | 'disable', summary: string, change: Change): Command => ({
  name: `webhooks ${name}`,
  usage: '<endpoint>',
  summary,
  async run([argument], { database, audit, actor }) {
    const id = idIn(argument, 'an endpoint; `webhooks endpoints` shows it');
    await database.transaction(async (manager) => {
      if (!(await change(new WebhookEndpointsRepository(database), manager, id)))
        throw new UsageError(`no endpoint ${id} to ${name}`);
      await audit.record({ actor, action: `webhooks.${name}`, details: { id } }, manager);
    });
    return `${id} is ${name}d`;
  },
});

const enable = switchCommand(
  'enable',
  'send events to an endpoint again, as if it had never failed',
  (all, manager, id) => all.enable(manager, id),
);

const disable = switchCommand(
  'disable',
  'send an endpoint nothing until its owner or `enable` turns it on',
  (all, manager, id) => all.disable(manager, id, 'operator'),
);

export const webhookEndpointCommands: readonly Command[] = [endpoints, deliveries, resend, enable, disable];
