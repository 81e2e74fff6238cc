import { Client, type ClientConfig } from 'pg';

/**
 * A connection with a default error listener. Between checkout from the pool and use by TypeORM it has none, and an error
 * at that moment would end the process. Queries on the connection still reject.
 */
export class GuardedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
