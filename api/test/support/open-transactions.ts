import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { EntityManager } from 'typeorm';

/** Published when a request is created: by Node's client, which Stripe's and PayPal's SDKs use, and by `fetch`. */
const CHANNELS = ['http.client.request.created', 'undici:request:create'];

interface OpenTransaction {
  isOpen: boolean;
}

const transactions = new AsyncLocalStorage<OpenTransaction>();
const requests: string[] = [];

const { transaction } = EntityManager.prototype;

type Work = (manager: EntityManager) => Promise<unknown>;

/** TypeORM's method, run in an asynchronous context that ends with the transaction. */
function watchedTransaction(this: EntityManager, ...args: unknown[]): Promise<unknown> {
  const context: OpenTransaction = { isOpen: true };
  const work = args.pop() as Work;
  const watched: Work = (manager) => transactions.run(context, () => work(manager));
  return Reflect.apply(transaction, this, [...args, watched]).finally(() => {
    context.isOpen = false;
  });
}

function record(): void {
  if (!transactions.getStore()?.isOpen) return;
  requests.push(new Error('request').stack ?? '');
}

Object.defineProperty(EntityManager.prototype, 'transaction', { value: watchedTransaction, writable: true });
for (const channel of CHANNELS) subscribe(channel, record);

/**
 * A request in a transaction would hold its locks and its connection for as long as the other server takes.
 * @throws Error with the stack of a request that was sent since the last call
 */
export function expectNoRequestsInTransactions(): void {
  const [first] = requests.splice(0);
  if (first) throw new Error(`a request was sent while a transaction was open: ${first}`);
}
