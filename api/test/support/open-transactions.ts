import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { Pool } from 'pg';
import { EntityManager } from 'typeorm';

/** Published when a request is created: by Node's client, which Stripe's and PayPal's SDKs use, and by `fetch`. */
const CHANNELS = ['http.client.request.created', 'undici:request:create'];

interface OpenTransaction {
  isOpen: boolean;
}

const transactions = new AsyncLocalStorage<OpenTransaction>();
const requests: string[] = [];
const connections: string[] = [];

const { transaction } = EntityManager.prototype;
const { connect } = Pool.prototype;

type Work = (manager: EntityManager) => Promise<unknown>;

/** TypeORM's method, run in an asynchronous context that ends with the transaction. */
function watchedTransaction(this: EntityManager, ...args: unknown[]): Promise<unknown> {
  const context: OpenTransaction = { isOpen: true };
  // An isolation level may come first; `DataSource.transaction` passes `undefined` last.
  const index = args.findIndex((arg) => typeof arg === 'function');
  const work = args[index] as Work;
  const watched: Work = (manager) => transactions.run(context, () => work(manager));
  return Reflect.apply(transaction, this, args.with(index, watched)).finally(() => {
    context.isOpen = false;
  });
}

function record(calls: string[]): void {
  if (transactions.getStore()?.isOpen) calls.push(new Error('call').stack ?? '');
}

function watchedConnect(this: Pool, ...args: unknown[]): unknown {
  record(connections);
  return Reflect.apply(connect, this, args);
}

Object.defineProperty(EntityManager.prototype, 'transaction', { value: watchedTransaction, writable: true });
Object.defineProperty(Pool.prototype, 'connect', { value: watchedConnect, writable: true });
for (const channel of CHANNELS) subscribe(channel, () => record(requests));

/**
 * A request in a transaction would hold its locks and its connection for as long as the other server takes.
 * @throws Error with the stack of a request that was sent since the last call
 */
export function expectNoRequestsInTransactions(): void {
  const [first] = requests.splice(0);
  if (first) throw new Error(`a request was sent while a transaction was open: ${first}`);
}

/**
 * Transactions that wait for a second connection exhaust the pool, and each other.
 * @throws Error with the stack of a connection that was taken since the last call
 */
export function expectNoConnectionsInTransactions(): void {
  const [first] = connections.splice(0);
  if (first) throw new Error(`a connection was taken while a transaction was open: ${first}`);
}
