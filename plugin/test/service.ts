import { Service } from '../src/api/service.ts';
import { decodePng, encodePng, fullOf, type Pixels } from '../src/core/png.ts';

export const URL_OF_PRODUCT = 'http://clearframe.test';
const API = `${URL_OF_PRODUCT}/api/v1/web`;

export interface Calls {
  /** What was asked for, as `POST /enhance`. */
  readonly asked: string[];
  readonly sent: Pixels[];
  readonly pipelines: object[];
  readonly headers: Headers[];
  /** Of a task, one at each time it is asked for; between two the client waits. */
  states: readonly string[];
  /** Called before each answer. */
  before: (call: string) => void | Promise<void>;
  enhance: (pixels: Pixels) => Pixels;
}

/** The size of the result, with every level inverted: what a layer got is easily told. */
export const inverted = (pixels: Pixels): Pixels => ({
  ...pixels,
  data: pixels.data.map((level, at) => (pixels.channels === 4 && at % 4 === 3 ? level : fullOf(pixels.data) - level)),
});

/** The API's answers to a picture, without a network. */
export function answeringService(): { service: Service; calls: Calls } {
  const calls: Calls = {
    asked: [],
    states: [],
    sent: [],
    pipelines: [],
    headers: [],
    before: () => undefined,
    enhance: inverted,
  };
  let result = new Uint8Array();
  const task = (status: string) => ({
    task_id: 'task-1',
    status,
    progress: status === 'completed' ? 1 : 0.4,
    queue_wait_num: status === 'created' ? 2 : null,
    remaining_seconds: 3,
    output_url: `${URL_OF_PRODUCT}/media/result.png`,
    result: { outputs: [{ faces: [], width: 1, height: 1 }] },
  });
  let left: string[] = [];
  const answer = async (input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const call = `${init.method ?? 'GET'} ${url.href.startsWith(API) ? url.pathname.slice('/api/v1/web'.length) : url.pathname}`;
    calls.asked.push(call);
    calls.headers.push(new Headers(init.headers));
    await calls.before(call);
    init.signal?.throwIfAborted();
    if (call === 'POST /enhance') {
      const pixels = await decodePng(new Uint8Array(init.body as ArrayBuffer));
      calls.sent.push(pixels);
      calls.pipelines.push(JSON.parse(url.searchParams.get('pipeline') ?? ''));
      result = new Uint8Array(await encodePng(calls.enhance(pixels)));
      left = [...calls.states];
      return Response.json(task('created'), { status: 202 });
    }
    if (call === 'POST /tasks/task-1/changes') {
      const data = new Uint8Array(4).fill(255);
      return new Response(new Uint8Array(await encodePng({ width: 2, height: 2, channels: 1, data })));
    }
    if (call === 'GET /media/result.png') return new Response(result);
    if (call.endsWith('/cancel')) return Response.json(task('cancelled'));
    return Response.json(task(left.shift() ?? 'completed'));
  };
  const service = new Service({ apiKey: 'cfk_live_1', deviceId: 'ps-1', baseUrl: URL_OF_PRODUCT, fetch: answer });
  return { service, calls };
}
