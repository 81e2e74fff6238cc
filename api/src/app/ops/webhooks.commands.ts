import { deleteAttempts } from '../../platform/schedule/stuck-work.js';
import { type Command, table, UsageError } from './command.js';

const LISTED = 50;

interface Event {
  readonly sender: string;
  readonly eventId: string;
  readonly type: string;
  readonly subjectId: string | null;
  readonly receivedAt: Date;
  readonly processedAt: Date | null;
}

const list: Command = {
  name: 'webhooks list',
  usage: '[subject]',
  summary: `show the last ${LISTED} events of payment providers, of one subscription or payment if given`,
  async run([subject], { database }) {
    const events: Event[] = await database.query(
      `SELECT sender, event_id AS "eventId", type, subject_id AS "subjectId", received_at AS "receivedAt",
         processed_at AS "processedAt"
       FROM webhook_events WHERE $1::text IS NULL OR subject_id = $1 ORDER BY received_at DESC LIMIT ${LISTED}`,
      [subject ?? null],
    );
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
  usage: '<event>',
  summary: 'process an event again within seconds: reads its subject from the provider',
  async run([eventId], { database, audit, actor }) {
    if (!eventId) throw new UsageError('give the event; `webhooks list` shows it');
    await database.transaction(async (manager) => {
      const [replayed]: [{ sender: string }[], number] = await manager.query(
        'UPDATE webhook_events SET processed_at = NULL WHERE event_id = $1 RETURNING sender',
        [eventId],
      );
      if (replayed.length === 0) throw new UsageError(`no event ${eventId}`);
      await deleteAttempts(
        manager,
        replayed.map(({ sender }) => `${sender} ${eventId}`),
      );
      await audit.record({ actor, action: 'webhooks.replay', details: { eventId } }, manager);
    });
    return `${eventId} will be processed again`;
  },
};

export const webhookCommands: readonly Command[] = [list, replay];
