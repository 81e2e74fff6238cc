import { BASE_PATH, EnhanceOptions, enhanceRoutes, type RouteInput, type Task } from '@clearframe/contract';
import { Controller, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../platform/config/app.config.js';
import { idempotencyKeyOf } from '../platform/http/idempotency.service.js';
import { PreferredWait, type Wait } from '../platform/http/preferred-wait.js';
import { Input, parseFields, Route, RouteResponse } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { TaskPresenter } from '../tasks/task.presenter.js';
import { EnhanceService, type StartedTask } from './enhance.service.js';
import { dropRest, readRequest } from './sent-picture.js';

@Controller()
export class EnhanceController {
  constructor(
    private readonly enhancements: EnhanceService,
    private readonly presenter: TaskPresenter,
    private readonly app: AppConfig,
  ) {}

  @Route(enhanceRoutes.createEnhancement)
  async enhance(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof enhanceRoutes.createEnhancement>,
    @PreferredWait() wait: Wait | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | RouteResponse<Task>> {
    const key = idempotencyKeyOf(request);
    const { taskId, isRepeated } = await this.start(caller, request, { query, key }).catch((error: unknown) => {
      dropRest(request, reply);
      throw error;
    });
    if (isRepeated) reply.header('idempotency-replayed', 'true');
    reply.header('location', `${this.app.publicUrl}${BASE_PATH}/tasks/${taskId}`);
    const result = wait && (await this.enhancements.result(caller, taskId, wait));
    if (result) {
      reply.headers(result.headers);
      return result.file;
    }
    return new RouteResponse(202, await this.presenter.get(caller, taskId));
  }

  private async start(
    caller: Caller,
    request: FastifyRequest,
    { query, key }: { query: EnhanceOptions; key: string | undefined },
  ): Promise<StartedTask> {
    const { fields, ...sent } = await readRequest(request);
    try {
      const options = { ...query, ...parseFields(EnhanceOptions, fields) };
      return await this.enhancements.start(caller, sent, options, key);
    } catch (error) {
      sent.picture?.body.resume();
      throw error;
    } finally {
      sent.mask?.body.destroy();
    }
  }
}
