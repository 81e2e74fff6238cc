import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Bytes where it was sent in binary. */
export type Parameter = string | Uint8Array | null;

/** `ms`: until PostgreSQL was ready for the next statement. */
export interface CapturedStatement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly ms: number;
}

export interface WireTap {
  readonly url: string;
  take(): CapturedStatement[];
  stop(): Promise<void>;
}

/** PostgreSQL's protocol, version 3: a letter, a length that counts itself, contents. */
interface Message {
  readonly type: string;
  readonly body: Buffer;
}

const HEAD_BYTES = 5;

class Messages {
  private rest = Buffer.alloc(0);
  private startup: boolean;

  /** @param startup the first message is a startup message, without a type letter */
  constructor(startup: boolean) {
    this.startup = startup;
  }

  *read(chunk: Buffer): Generator<Message> {
    this.rest = Buffer.concat([this.rest, chunk]);
    if (this.startup && this.rest.length >= 4 && this.rest.length >= this.rest.readInt32BE(0)) {
      this.rest = this.rest.subarray(this.rest.readInt32BE(0));
      this.startup = false;
    }
    while (!this.startup && this.rest.length >= HEAD_BYTES) {
      const end = 1 + this.rest.readInt32BE(1);
      if (this.rest.length < end) return;
      yield { type: this.rest.toString('latin1', 0, 1), body: this.rest.subarray(HEAD_BYTES, end) };
      this.rest = this.rest.subarray(end);
    }
  }
}

const textAt = (body: Buffer, start: number): string => body.toString('utf8', start, body.indexOf(0, start));

/** `Parse`: the statement's name (empty unless it is prepared for later), its text. */
const parse = (body: Buffer): { name: string; sql: string } => ({
  name: textAt(body, 0),
  sql: textAt(body, body.indexOf(0) + 1),
});

/** `Bind`: the portal's name, the statement's. */
const statementOfBind = (body: Buffer): string => textAt(body, body.indexOf(0) + 1);

/** `Bind`: two names, the formats, then each parameter with its length, -1 for NULL. */
function parametersOfBind(body: Buffer): Parameter[] {
  const formats = body.indexOf(0, body.indexOf(0) + 1) + 1;
  const formatCount = body.readInt16BE(formats);
  // None: all are text; one: that of all.
  const isBinary = (n: number): boolean =>
    formatCount > 0 && body.readInt16BE(formats + 2 + 2 * (formatCount === 1 ? 0 : n)) === 1;
  let at = formats + 2 + 2 * formatCount;
  const parameters: Parameter[] = [];
  const count = body.readInt16BE(at);
  at += 2;
  for (let n = 0; n < count; n += 1) {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) parameters.push(null);
    else parameters.push(isBinary(n) ? body.subarray(at, at + length) : body.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return parameters;
}

class Listener {
  private readonly requests = new Messages(true);
  private readonly responses = new Messages(false);
  private current: { sql: string; parameters: Parameter[]; since: number } | null = null;
  /** Prepared on this connection before: only their names are sent again. */
  private readonly prepared = new Map<string, string>();
  private readonly onStatement: (statement: CapturedStatement) => void;

  constructor(onStatement: (statement: CapturedStatement) => void) {
    this.onStatement = onStatement;
  }

  onRequest(chunk: Buffer): void {
    for (const { type, body } of this.requests.read(chunk)) {
      if (type === 'P') {
        const { name, sql } = parse(body);
        this.prepared.set(name, sql);
        this.begin(sql);
      } else if (type === 'Q') this.begin(textAt(body, 0));
      else if (type === 'B') this.bind(body);
    }
  }

  private begin(sql: string): void {
    this.current = { sql, parameters: [], since: performance.now() };
  }

  private bind(body: Buffer): void {
    const sql = this.prepared.get(statementOfBind(body));
    if (sql === undefined) return;
    this.current ??= { sql, parameters: [], since: performance.now() };
    this.current.parameters = parametersOfBind(body);
  }

  onResponse(chunk: Buffer): void {
    for (const { type } of this.responses.read(chunk)) {
      if (type !== 'Z' || !this.current) continue;
      const { sql, parameters, since } = this.current;
      this.onStatement({ sql, parameters, ms: performance.now() - since });
      this.current = null;
    }
  }
}

export async function tapWire(databaseUrl: string): Promise<WireTap> {
  const target = new URL(databaseUrl);
  const statements: CapturedStatement[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    const listener = new Listener((statement) => statements.push(statement));
    client.on('data', (chunk) => listener.onRequest(chunk));
    database.on('data', (chunk) => listener.onResponse(chunk));
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('a listening server without a port');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    take: () => statements.splice(0),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
