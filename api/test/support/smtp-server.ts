import { createServer, type Socket } from 'node:net';
import { freePort } from '../../../runtime/test/ports.js';

export class SmtpServer {
  readonly received: string[] = [];
  /** Replies by recipient instead of acceptance; null for none. */
  readonly replies = new Map<string, string | null>();
  readonly hung = new Set<Socket>();
  private readonly server = createServer((socket) => this.serve(socket));

  private constructor(private readonly port: number) {}

  /** Does not listen yet. */
  static async create(): Promise<SmtpServer> {
    return new SmtpServer(await freePort());
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
  }

  close(): void {
    this.server.close();
    for (const socket of this.hung) socket.destroy();
  }

  private serve(socket: Socket): void {
    let text = '';
    let isData = false;
    socket.setEncoding('utf8').write('220 here\r\n');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isData && text.endsWith('\r\n.\r\n')) {
        this.received.push(text);
        isData = false;
        text = '';
        socket.write('250 accepted\r\n');
      }
      while (!isData && text.includes('\r\n')) {
        const [line = ''] = text.split('\r\n', 1);
        text = text.slice(line.length + 2);
        const reply = this.replyTo(line);
        isData = reply.startsWith('354');
        if (!reply) this.hung.add(socket);
        else if (line === 'QUIT') socket.end(reply);
        else socket.write(reply);
      }
    });
    socket.on('error', () => undefined);
  }

  /** Empty for none. */
  private replyTo(line: string): string {
    const [, recipient] = /^RCPT TO:<(.+)>/.exec(line) ?? [];
    const reply = recipient === undefined ? undefined : this.replies.get(recipient);
    if (reply !== undefined) return reply === null ? '' : `${reply}\r\n`;
    if (line === 'DATA') return '354 go on\r\n';
    return line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n';
  }
}
