import {
  type EnhancedVideo,
  hasOriginal,
  isRunning,
  isVideoContentType,
  LIFETIMES,
  objectKeys,
  type Task,
  type VideoContentType,
  VideoPipeline,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { type RunProgress, RunRankings } from '../runs/run-progress.repository.js';
import { type VideoRow, versionsOf } from './task.entity.js';
import { fileFields, originalNameOf, runOf, taskFields, videoNameOf } from './task-fields.js';

export const READ_URL_LIFETIME_SECONDS = LIFETIMES.readAddress;

/** Content type of the original. The column of a video holds no other type. */
export const videoTypeOf = ({ contentType }: VideoRow): VideoContentType =>
  isVideoContentType(contentType) ? contentType : 'video/mp4';

export const videoPipelineOf = ({
  aiPipeline: { faceEnhance, backgroundEnhance, colorEnhance },
}: Pick<VideoRow, 'aiPipeline'>) => VideoPipeline.parse({ faceEnhance, backgroundEnhance, colorEnhance });

/** Keys of the original's first frame, which is deleted with it; null before the file has been read. */
export const firstFrameOf = ({ status, video: { probe } }: VideoRow) => (hasOriginal(status) ? probe : null);

type WithoutSharing = Omit<Task, 'sharing'>;

/** Signs the files of videos and shows videos as tasks, beside pictures. */
@Injectable()
export class VideoPresenter {
  constructor(
    private readonly store: ObjectStore,
    private readonly runs: RunRankings,
  ) {}

  /** Progress of waiting and running enhancements, by run id. None for a video that is still read. */
  progressOf(rows: readonly VideoRow[]): Promise<ReadonlyMap<string, RunProgress>> {
    const runIds = rows.flatMap(({ status, runId, video }) =>
      runId && video.probe && isRunning(status) ? [runId] : [],
    );
    return this.runs.progressOf(runIds, ['videos']);
  }

  async task(row: VideoRow, progress: ReadonlyMap<string, RunProgress>): Promise<WithoutSharing> {
    const { probe, result } = row.video;
    const frame = firstFrameOf(row);
    const [inputPoster, inputThumbnail, poster, thumbnail, outputUrl, inputUrl] = await Promise.all([
      frame && this.jpeg(frame.posterKey),
      frame && this.jpeg(frame.thumbnailKey),
      result && this.jpeg(result.posterKey),
      result && this.jpeg(result.thumbnailKey),
      result && this.outputUrl(row, result),
      this.inputUrl(row),
    ]);
    const shown = result?.output ?? probe;
    return {
      ...taskFields(row, runOf(row, progress), false),
      bulkUploadSize: 1,
      mediaType: 'video',
      keepLocation: false,
      hasWatermark: false,
      inputUrl,
      outputUrl,
      outputContentType: 'video/mp4',
      display: {
        inputUrl: inputPoster,
        inputMediumUrl: null,
        outputUrl: poster,
        thumbnailUrl: thumbnail ?? inputThumbnail,
        inputThumbnailUrl: inputThumbnail,
        width: shown?.width ?? null,
        height: shown?.height ?? null,
      },
      input: {
        ...fileFields(row),
        contentType: videoTypeOf(row),
        width: probe?.width ?? null,
        height: probe?.height ?? null,
        duration: probe?.duration ?? null,
        convertedImages: [],
      },
      result: { outputs: await this.outputs(row) },
    };
  }

  private outputs(row: VideoRow): Promise<WithoutSharing['result']['outputs']> {
    return Promise.all(
      versionsOf(row).map(async (version) => {
        const { contentType, width, height } = version.output;
        const [url, posterUrl, thumbnailUrl] = await Promise.all([
          this.outputUrl(row, version),
          this.jpeg(version.posterKey),
          this.jpeg(version.thumbnailKey),
        ]);
        return {
          id: version.runId,
          number: version.number,
          url,
          contentType,
          width,
          height,
          fullSize: null,
          display: { url: posterUrl, mediumUrl: null, thumbnailUrl, width, height },
          isPreview: false,
          isUntouched: false,
          hasWatermark: false,
          isEncoding: false,
          keepLocation: false,
          aiPipeline: version.aiPipeline,
          convertedImages: [],
          faces: [],
          recipe: {
            version: version.recipe.version,
            aiPipeline: version.aiPipeline,
            models: version.recipe.networks,
          },
          changes: null,
        };
      }),
    );
  }

  jpeg(key: string): Promise<string> {
    return this.sign(key, 'image/jpeg', 'clearframe.jpg');
  }

  displayInput(row: VideoRow, key: string): Promise<string> {
    return this.sign(key, 'video/mp4', originalNameOf(row).replace(/\.[^.]+$/, '.mp4'));
  }

  async inputUrl(row: VideoRow): Promise<string | null> {
    if (!hasOriginal(row.status)) return null;
    return this.sign(objectKeys.input(row.id), videoTypeOf(row), originalNameOf(row));
  }

  outputUrl(row: VideoRow, { output }: Pick<EnhancedVideo, 'output'>): Promise<string> {
    return this.sign(output.key, output.contentType, videoNameOf(row));
  }

  private sign(key: string, contentType: string, fileName: string): Promise<string> {
    return this.store.signRead({ key, contentType, fileName, expiresInSeconds: READ_URL_LIFETIME_SECONDS });
  }
}
