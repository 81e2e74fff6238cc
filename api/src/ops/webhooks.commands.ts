import { StoredEventRepository } from '../webhooks/webhook-event.repository.js';
import { type Command, table, UsageError } from './command.js';

const LISTED = 50;

const list: Command = {
  name: 'webhooks list',
  usage: '[subject]',
  summary: `show the last ${LISTED} events of payment providers, of one subscription or payment if given`,
  async run([subject], { database }) {
    const events = await new StoredEventRepository(database.manager).list(subject ?? null, LISTED);
    const cells = events.map(({ sender, eventId, type, subjectId, receivedAt, processedAt }) => [
      sender,
      eventId,
      type,
      subjectId ?? '',
      receivedAt.toISOString(),
      processedAt?.toISOString() ?? 'waiting',
    ]);
    return table([['SENDER', 'EVENT', 'TYPE', 'SUBJECT', 'RECEIVED', 'PROCESSED'], ...cells]);
  },
};

const replay: Command = {
  name: 'webhooks replay',
  usage: '<sender> <event>',
  summary: 'process an event again within seconds: reads its subject from the provider',
  async run([sender, eventId], { database, audit, actor }) {
    if (!sender || !eventId) throw new UsageError('give sender and event; `webhooks list` shows them');
    await database.transaction(async (manager) => {
      if (!(await new StoredEventRepository(manager).replay(sender, eventId)))
        throw new UsageError(`no event ${eventId} of ${sender}`);
      await audit.record({ actor, action: 'webhooks.replay', details: { sender, eventId } }, manager);
    });
    return `${eventId} will be processed again`;
  },
};

export const webhookCommands: readonly Command[] = [list, replay];
