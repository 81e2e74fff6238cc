import { Client, type ClientConfig } from 'pg';

/**
 * A connection whose end nobody has to listen for. Between the pool, which hands it over, and TypeORM, which takes it,
 * there is a moment without a listener; a server that dies just then would take the whole process along. Whoever uses
 * the connection is told all the same.
 */
export class GuardedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
