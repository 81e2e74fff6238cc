import { access } from 'node:fs/promises';
import { type Clearframe, ClearframeError, type Progress, type Task, type TaskStatus } from '@clearframe/client';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface ServerOptions {
  /**
   * Whether tools read and write files of this machine. Only for a server that its user has started: another one would
   * give its callers the machine's files.
   */
  readonly hasFiles: boolean;
}

const RESULT_SCHEME = 'clearframe://tasks/';
const resultUri = (taskId: string): string => `${RESULT_SCHEME}${taskId}/result`;

/** As the API names them, so that what an agent reads in the guide is what it sends. */
const Pipeline = z
  .union([z.literal('auto'), z.record(z.string(), z.unknown())])
  .optional()
  .describe(
    'The tools to apply, for instance {"face_enhance": {"model": "v2"}, "color_enhance": {"model": "golden"}}, or "auto" for what the analysis suggests. Absent: faces and background.',
  );
const TaskId = z.uuid().describe('The id of a task');

/** Photos and videos of one account, as tools and resources of the Model Context Protocol. */
export function createServer(clearframe: Clearframe, { hasFiles }: ServerOptions): McpServer {
  const server = new McpServer(
    { name: 'clearframe', title: 'Clearframe', version: '0.1.0' },
    {
      instructions:
        'Restores photos and videos and holds every face to the person it shows. A result lists the likeness of each face; one that was held back resembled another person. A result that is untouched shows the original and costs nothing.',
    },
  );
  const Input = hasFiles
    ? z.string().min(1).describe('The path of a file on this machine, or an https address')
    : z.url({ protocol: /^https$/ }).describe('An https address');
  const output = {
    output_path: z.string().min(1).optional().describe('Where to save the result; an existing file is kept'),
  };
  const photo = {
    input: Input,
    pipeline: Pipeline,
    format: z
      .enum(['png', 'jpeg', 'tiff', 'psd', 'photoshop-tiff'])
      .optional()
      .describe('Format of the result, psd and photoshop-tiff with layers; absent: that of the plan'),
  };

  server.registerTool(
    'enhance_photo',
    {
      title: 'Enhance a photo',
      description: 'Restores a photo and waits for the result: faces, noise, blur, colors, size.',
      // Without files nothing is saved: an `output_path` is dropped like any unknown member.
      inputSchema: hasFiles ? { ...photo, ...output } : (photo as typeof photo & typeof output),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ input, pipeline, format, output_path: path }, extra) =>
      answering(async () => {
        if (!input.startsWith('https://')) await access(input);
        const result = await clearframe.enhance(input, {
          ...(pipeline !== undefined && { pipeline: pipeline as Task['ai_pipeline'] }),
          ...(format && { format }),
          ...progressTo(extra),
        });
        if (path) await result.save(path, { overwrite: false });
        return taskResult(await result.task(), path);
      }),
  );

  if (hasFiles) {
    server.registerTool(
      'analyze_photo',
      {
        title: 'Analyze a photo',
        description: 'Measures a photo without keeping it, and suggests tools. Free.',
        inputSchema: { input: z.string().min(1).describe('The path of a file on this machine') },
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      ({ input }, { signal }) =>
        answering(async () => {
          await access(input);
          return jsonResult(await clearframe.analyze(input, { signal }));
        }),
    );

    server.registerTool(
      'enhance_video',
      {
        title: 'Enhance a video',
        description: 'Restores an MP4 or MOV and waits for the result, which takes minutes.',
        inputSchema: {
          input: z.string().min(1).describe('The path of a file on this machine'),
          pipeline: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('face_enhance, background_enhance and color_enhance with their models'),
          ...output,
        },
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
      },
      ({ input, pipeline, output_path: path }, extra) =>
        answering(async () => {
          await access(input);
          const result = await clearframe.video(input, { ...(pipeline && { pipeline }), ...progressTo(extra) });
          if (path) await result.save(path, { overwrite: false });
          const { video_task_id: id } = await result.task();
          return taskResult(await clearframe.tasks.get(id), path);
        }),
    );
  }

  server.registerTool(
    'get_task',
    {
      title: 'Get a task',
      description: 'Reads the state of a photo or video, with its results.',
      inputSchema: { task_id: TaskId },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ task_id: id }, { signal }) => answering(async () => taskResult(await clearframe.tasks.get(id, { signal }))),
  );

  server.registerTool(
    'list_tasks',
    {
      title: 'List tasks',
      description: 'Lists the newest photos and videos of the account.',
      inputSchema: {
        limit: z.int().min(1).max(100).default(20).describe('How many'),
        media_type: z.enum(['image', 'video']).optional().describe('Only photos, or only videos'),
        status: z.array(z.string()).optional().describe('Only tasks in these states, such as completed or failed'),
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ limit, media_type: mediaType, status }, { signal }) =>
      answering(async () => {
        const tasks: Task[] = [];
        const options = {
          signal,
          ...(mediaType && { mediaType }),
          ...(status && { status: status as readonly TaskStatus[] }),
        };
        for await (const task of clearframe.tasks.list(options)) if (tasks.push(task) >= limit) break;
        return jsonResult({ tasks: tasks.map((task) => summaryOf(task)) });
      }),
  );

  server.registerResource(
    'result',
    new ResourceTemplate(`${RESULT_SCHEME}{task_id}/result`, {
      list: async ({ signal }) => {
        const resources: { uri: string; name: string; mimeType: string }[] = [];
        for await (const task of clearframe.tasks.list({ status: ['completed', 'exported'], signal }))
          if (resources.push(resourceOf(task)) >= LISTED_RESULTS) break;
        return { resources };
      },
    }),
    { title: 'Result of a task', description: 'The finished file of a photo or video' },
    async (uri, { task_id: id }, { signal }) => {
      const result = await clearframe.tasks.result(String(id), { signal });
      const { output_content_type: mimeType } = await result.task();
      return { contents: [{ uri: uri.href, mimeType, blob: Buffer.from(await result.bytes()).toString('base64') }] };
    },
  );
  return server;
}

const LISTED_RESULTS = 20;

/** Errors are results, so that the agent reads the remedy. */
async function answering(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const known = error instanceof ClearframeError ? error : null;
    const lines = [known ? `${known.code}: ${known.message}` : error.message, known?.remedy];
    return { isError: true, content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }] };
  }
}

const PHASES: readonly Progress['phase'][] = ['uploading', 'waiting', 'processing', 'done'];

/** Progress for clients that ask for it; the client's cancellation ends the call. */
function progressTo({ signal, _meta, sendNotification }: Extra) {
  const token = _meta?.progressToken;
  if (token === undefined) return { signal };
  const onProgress = ({ phase, fraction }: Progress): void => {
    const progress = PHASES.indexOf(phase) + (phase === 'done' ? 0 : fraction);
    const params = { progressToken: token, progress, total: PHASES.length - 1, message: phase };
    void sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  return { signal, onProgress };
}

/** What an agent decides by, without addresses that expire. */
function summaryOf({ task_id, status, media_type, progress, error_code, input, result }: Task) {
  const [output] = result.outputs;
  return {
    task_id,
    status,
    media_type,
    progress,
    error_code,
    file_name: input.file_name,
    ...(output && {
      width: output.width,
      height: output.height,
      is_untouched: output.is_untouched,
      has_watermark: output.has_watermark,
      faces: output.faces.map(({ box, restored, identity_similarity, held_back }) => ({
        box,
        restored,
        identity_similarity,
        held_back: held_back ?? false,
      })),
    }),
  };
}

const resourceOf = ({ task_id: id, input, output_content_type: mimeType }: Task) => ({
  uri: resultUri(id),
  name: input.file_name ?? id,
  mimeType,
});

const jsonResult = (value: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value, null, 2) }],
  structuredContent: { ...value },
});

function taskResult(task: Task, savedPath?: string): CallToolResult {
  const result = jsonResult({ ...summaryOf(task), ...(savedPath && { saved_path: savedPath }) });
  if (task.output_url === null) return result;
  return { ...result, content: [...result.content, { type: 'resource_link', ...resourceOf(task) }] };
}
