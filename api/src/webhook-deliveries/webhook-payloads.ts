import { type Role, toWire, UsageThreshold, WEBHOOK_MESSAGES, type WebhookMessageType } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { isVideo } from '../tasks/task.entity.js';
import { TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { VideoTaskPresenter } from '../videos/video-task.presenter.js';
import type { WebhookMessageRow } from '../webhook-endpoints/webhook-messages.repository.js';

/** Bodies of messages, with what their subjects are now: signed addresses would expire before the last attempt. */
@Injectable()
export class WebhookPayloads {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly presenter: TaskPresenter,
    private readonly videos: VideoTaskPresenter,
  ) {}

  /** @returns null for a subject that is deleted */
  async bodyOf(message: WebhookMessageRow, role: Role): Promise<string | null> {
    const type = message.type as WebhookMessageType;
    const data = await this.dataOf(type, message, role);
    if (data === null) return null;
    const schema = WEBHOOK_MESSAGES[type];
    const timestamp = message.createdAt.toISOString();
    return JSON.stringify(toWire(schema, schema.parse({ type, timestamp, data })));
  }

  private async dataOf(type: WebhookMessageType, message: WebhookMessageRow, role: Role): Promise<unknown> {
    const { subjectId: id, userId, data } = message;
    switch (type) {
      case 'task.completed':
      case 'task.failed': {
        const [task] = await this.presenter.tasks(role, { id, userId });
        return task ?? null;
      }
      case 'batch.completed': {
        const isKept = (await this.tasks.countOfUpload(userId, id)) > 0;
        return isKept ? this.presenter.bulkUpload(role, id) : null;
      }
      case 'video.completed':
      case 'video.failed': {
        const video = await this.tasks.findOwn({ userId }, id);
        return video && isVideo(video) ? this.videos.present(video) : null;
      }
      case 'usage.threshold':
        return UsageThreshold.parse(data);
      case 'endpoint.test':
        return { endpointId: id };
    }
  }
}
