import type { VideoTask, VideoTaskResult } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { RunProgress } from '../runs/run-progress.repository.js';
import { SharingLinks } from '../tasks/sharings.repository.js';
import { type VideoRow, versionsOf } from '../tasks/task.entity.js';
import { fileFields, runOf, stateFields } from '../tasks/task-fields.js';
import { firstFrameOf, VideoPresenter, videoPipelineOf, videoTypeOf } from '../tasks/video-presenter.js';

@Injectable()
export class VideoTaskPresenter {
  constructor(
    private readonly videos: VideoPresenter,
    private readonly sharings: SharingLinks,
  ) {}

  async present(row: VideoRow): Promise<VideoTask> {
    const { probe, limit } = row.video;
    const frame = firstFrameOf(row);
    const [result, ...earlier] = await this.results(row);
    const [progress, sharing] = await Promise.all([
      this.videos.progressOf([row]),
      result ? this.sharings.findLive(row.id) : null,
    ]);
    const run = runOf(row, progress);
    return {
      videoTaskId: row.id,
      ...stateFields(row, run),
      aiPipeline: videoPipelineOf(row),
      input: {
        ...fileFields(row),
        contentType: videoTypeOf(row),
        width: probe?.width ?? null,
        height: probe?.height ?? null,
        duration: probe?.duration ?? null,
        frameRate: probe?.frameRate ?? null,
      },
      plan: probe?.plan ?? null,
      posterUrl: frame && (await this.videos.jpeg(frame.posterKey)),
      preview: await this.preview(run),
      result: result ?? null,
      earlierResults: earlier,
      sharing,
      reachedLimit: row.errorCode === 'videos.limit_reached' ? limit : null,
    };
  }

  private async preview(run: RunProgress | undefined): Promise<VideoTask['preview']> {
    if (!run?.previewKeys) return null;
    const { input, output } = run.previewKeys;
    const [inputUrl, outputUrl] = await Promise.all([this.videos.jpeg(input), this.videos.jpeg(output)]);
    return { inputUrl, outputUrl };
  }

  private async results(row: VideoRow): Promise<VideoTaskResult[]> {
    const inputUrl = await this.videos.inputUrl(row);
    if (!inputUrl) return [];
    return Promise.all(
      versionsOf(row).map(async (version) => {
        const { output, recipe, notes, facesFollowed, facesRestored } = version;
        const { width, height, duration, sizeBytes } = output;
        return {
          id: version.runId,
          number: version.number,
          aiPipeline: videoPipelineOf(version),
          inputUrl,
          outputUrl: await this.videos.outputUrl(row, version),
          posterUrl: await this.videos.jpeg(version.posterKey),
          displayInputUrl: await this.videos.displayInput(row, version.displayInputKey),
          width,
          height,
          duration,
          sizeBytes,
          recipe,
          notes,
          facesFollowed,
          facesRestored,
        };
      }),
    );
  }
}
