import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AppConfig } from '../config/app.config.js';
import { HostResolver } from './outbound-address.js';
import { OutboundHttp, type OutboundLimits } from './outbound-http.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** @returns port of a server on 127.0.0.1 */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Each question of a name is answered by the next of its answers. */
class ScriptedResolver extends HostResolver {
  readonly asked: string[] = [];

  constructor(private readonly answers: Readonly<Record<string, readonly (readonly string[])[]>> = {}) {
    super();
  }

  override async resolve(host: string): Promise<readonly string[]> {
    this.asked.push(host);
    const times = this.asked.filter((asked) => asked === host).length;
    return this.answers[host]?.[times - 1] ?? [];
  }
}

const settings = { CLEARFRAME_INTERNAL_SECRET: 'a secret of at least 32 characters' };
const locally = AppConfig.fromEnvironment(settings);
const inProduction = AppConfig.fromEnvironment({ ...settings, CLEARFRAME_ENV: 'production' });
const local = new OutboundHttp(locally, new HostResolver());
const strict = new OutboundHttp(inProduction, new ScriptedResolver());
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'allowed',
    ({ code }: { code?: string }) => code,
  );
const download = (address: string, limits: Partial<OutboundLimits> = {}) =>
  local.download(address, { limits }).then(({ body }) => buffer(body));

/** Sends pieces until the connection ends. */
function sendForever(reply: ServerResponse, piece: Buffer): void {
  const endless = Readable.from(
    (function* () {
      for (;;) yield piece;
    })(),
  );
  reply.on('close', () => endless.destroy());
  endless.pipe(reply);
}

describe('addresses', () => {
  it.each([
    'not an address',
    'ftp://files.example/photo.jpg',
    'file:///etc/passwd',
    'http://files.example/photo.jpg',
    'https://user:secret@files.example/photo.jpg',
    'https://93.184.216.34:22/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://0.0.0.0/',
    'https://10.0.0.8/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://169.254.169.254/latest/meta-data/',
    'https://168.63.129.16/metadata',
    'https://192.0.0.192/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::a9fe:a9fe]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:4136:e378::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
  ])('refuses %s', async (address) => {
    const resolver = new ScriptedResolver({ localhost: [['127.0.0.1']], 'files.example': [['93.184.216.34']] });
    expect(await codeOf(new OutboundHttp(inProduction, resolver).check(address))).toBe('uploads.address_refused');
  });

  it.each([
    'https://files.example/photo.jpg',
    'https://files.example.:8443/photo.jpg?signature=1#part',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]:9000/',
  ])('allows %s', async (address) => {
    const resolver = new ScriptedResolver({ 'files.example': [['93.184.216.34', '2606:2800:220:1::1']] });
    expect(await codeOf(new OutboundHttp(inProduction, resolver).check(address))).toBe('allowed');
  });

  it('refuses a name one of whose addresses is private, and one that has none', async () => {
    const resolver = new ScriptedResolver({ 'mixed.example': [['93.184.216.34', '10.0.0.8']] });
    const outbound = new OutboundHttp(inProduction, resolver);
    expect(await codeOf(outbound.check('https://mixed.example/'))).toBe('uploads.address_refused');
    expect(await codeOf(outbound.check('https://unknown.example/'))).toBe('uploads.address_unreachable');
  });

  it('allows this machine outside of production only, and never its network', async () => {
    const port = await serve((_request, reply) => reply.end('mine'));
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(String(await download(`http://${host}:${port}/`))).toBe('mine');
      expect(await codeOf(strict.send(`http://${host}:${port}/`))).toBe('uploads.address_refused');
    }
    expect(await codeOf(local.send('http://10.0.0.8/'))).toBe('uploads.address_refused');
  });
});

describe('a connection', () => {
  it('goes to the address that was checked, not to one that the name has later', async () => {
    const port = await serve(({ headers }, reply) => reply.end(headers.host));
    const resolver = new ScriptedResolver({ 'rebinding.example': [['127.0.0.1'], ['169.254.169.254']] });
    const outbound = new OutboundHttp(locally, resolver);
    const address = `http://rebinding.example:${port}/`;
    const { body } = await outbound.send(address);
    expect(await text(body)).toBe(`rebinding.example:${port}`);
    expect(resolver.asked).toEqual(['rebinding.example']);
    expect(await codeOf(outbound.send(address))).toBe('uploads.address_refused');
  });

  it('is refused after a change between registration and use', async () => {
    const resolver = new ScriptedResolver({ 'rebinding.example': [['93.184.216.34'], ['10.0.0.8']] });
    const outbound = new OutboundHttp(inProduction, resolver);
    await outbound.check('https://rebinding.example/');
    expect(await codeOf(outbound.send('https://rebinding.example/'))).toBe('uploads.address_refused');
  });

  it('fails clearly where another protocol answers, and at a closed port', async () => {
    const port = await serve((_request, reply) => reply.end());
    expect(await codeOf(local.send(`https://127.0.0.1:${port}/`))).toBe('uploads.address_unreachable');
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(await codeOf(local.send(`http://127.0.0.1:${port}/`))).toBe('uploads.address_unreachable');
  });
});

describe('redirects', () => {
  const redirecting = (locations: Readonly<Record<string, string>>) =>
    serve(({ url = '' }, reply) => {
      const location = locations[url];
      reply.writeHead(location ? 302 : 200, location ? { location } : {}).end('arrived');
    });

  it('are followed three times, also relative ones', async () => {
    const port = await redirecting({ '/1': '/2', '/2': '3', '/3': '/file', '/0': '/1' });
    expect(String(await download(`http://127.0.0.1:${port}/1`))).toBe('arrived');
    expect(await codeOf(download(`http://127.0.0.1:${port}/0`))).toBe('uploads.address_unreachable');
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'https://[::ffff:169.254.169.254]/',
    'https://10.0.0.8/',
    'file:///etc/passwd',
    '//user:secret@127.0.0.1/',
    'http://[',
  ])('to %s are refused', async (target) => {
    const port = await redirecting({ '/photo.jpg': '/here', '/here': target });
    expect(await codeOf(download(`http://127.0.0.1:${port}/photo.jpg`))).toBe('uploads.address_refused');
  });

  it('of a name that changes in between are checked again', async () => {
    const port = await redirecting({ '/1': '/2' });
    const resolver = new ScriptedResolver({ 'rebinding.example': [['127.0.0.1'], ['169.254.169.254']] });
    const outbound = new OutboundHttp(locally, resolver);
    expect(await codeOf(outbound.send(`http://rebinding.example:${port}/1`))).toBe('uploads.address_refused');
  });

  it('are not followed with a body', async () => {
    const port = await redirecting({ '/1': '/2' });
    const { status, body } = await local.send(`http://127.0.0.1:${port}/1`, { method: 'PUT', body: 'result' });
    expect([status, await text(body)]).toEqual([302, 'arrived']);
  });
});

describe('answers', () => {
  it('are streamed with their headers, and asked for without compression', async () => {
    let asked: IncomingMessage['headers'] = {};
    const port = await serve(({ headers }, reply) => {
      asked = headers;
      reply.setHeader('content-disposition', 'attachment; filename="beach.jpg"').end('bytes');
    });
    const { headers, body } = await local.download(`http://127.0.0.1:${port}/`, {});
    expect([headers['content-disposition'], await text(body)]).toEqual(['attachment; filename="beach.jpg"', 'bytes']);
    expect(asked['accept-encoding']).toBe('identity');
  });

  it('have a limit of bytes, announced or not', async () => {
    const port = await serve(({ url }, reply) => {
      if (url === '/announced') reply.writeHead(200, { 'content-length': '1001' }).flushHeaders();
      else sendForever(reply, Buffer.alloc(100));
    });
    for (const path of ['/announced', '/endless']) {
      expect(await codeOf(download(`http://127.0.0.1:${port}${path}`, { maxBytes: 1000 }))).toBe('uploads.too_large');
    }
  });

  it('are not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await serve((_request, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await codeOf(download(`http://127.0.0.1:${port}/`))).toBe('uploads.unsupported_type');
    const { body } = await local.send(`http://127.0.0.1:${port}/`);
    expect((await buffer(body)).length).toBe(bomb.length);
  });

  it.each([204, 206, 401, 404, 410, 500])('with status %i are no file', async (status) => {
    const port = await serve((_request, reply) => reply.writeHead(status).end());
    expect(await codeOf(download(`http://127.0.0.1:${port}/`))).toBe('uploads.address_unreachable');
  });

  it('that are cut are not taken for the whole', async () => {
    const port = await serve((_request, reply) => {
      reply.writeHead(200, { 'content-length': '1000' }).write('half', () => reply.destroy());
    });
    expect(await codeOf(download(`http://127.0.0.1:${port}/`))).toBe('uploads.address_unreachable');
  });

  it('that do not come, stop or trickle are given up', async () => {
    const port = await serve(({ url }, reply) => {
      if (url === '/stops') reply.write('some');
      if (url === '/trickles') {
        const timer = setInterval(() => reply.write('.'), 10);
        reply.on('close', () => clearInterval(timer));
      }
    });
    const limits = { headersMs: 100, silenceMs: 100 };
    for (const path of ['/hangs', '/stops', '/trickles']) {
      expect(await codeOf(download(`http://127.0.0.1:${port}${path}`, limits))).toBe('uploads.address_unreachable');
    }
    for (const path of ['/hangs', '/stops', '/trickles']) {
      expect(await codeOf(download(`http://127.0.0.1:${port}${path}`, { totalMs: 100 }))).toBe(
        'uploads.address_unreachable',
      );
    }
  });

  it('end with the signal of the caller, and the connection with the reader', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await serve((request, reply) => {
      reply.write('some');
      if (request.url === '/destroyed') reply.on('close', () => closed.resolve());
    });
    const controller = new AbortController();
    const { body } = await local.send(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    controller.abort(new Error('stopped'));
    await expect(buffer(body)).rejects.toThrow('stopped');
    const { body: unread } = await local.send(`http://127.0.0.1:${port}/destroyed`);
    unread.destroy();
    await closed.promise;
  });
});
