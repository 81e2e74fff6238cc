import {
  type DisplayImage,
  isUntouched,
  type RenderedImage,
  type StoredImage,
  type TaskOutput,
} from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import type { ServedOutput } from './served-files.js';
import type { TaskOutputRow, TaskRow } from './task.entity.js';
import { downloadNameOf } from './task-fields.js';
import { READ_URL_LIFETIME_SECONDS } from './video-presenter.js';

@Injectable()
export class OutputPresenter {
  constructor(private readonly store: ObjectStore) {}

  async output(
    row: TaskRow,
    { output, spec, image, isEncoding, display, converted }: ServedOutput,
    number: number,
  ): Promise<TaskOutput> {
    const { faces, recipe } = output.image;
    return {
      id: output.runId,
      number,
      url: image && (await this.urlOf(row, image)),
      contentType: image?.contentType ?? spec.contentType,
      ...(image ? sizeOf(image) : fittedSize(output.image.master, spec.maxSide)),
      display: display && (await this.display(row, display)),
      isPreview: output.isPreview,
      isUntouched: isUntouched(recipe),
      hasWatermark: image?.hasWatermark ?? spec.watermark,
      isEncoding,
      keepLocation: output.keepLocation ?? false,
      aiPipeline: recipe.aiPipeline,
      convertedImages: await this.converted(row, converted),
      faces: faces.map((face) => ({ ...face, restored: face.restored ?? face.identitySimilarity !== null })),
      recipe,
      changes: await this.changes(output),
    };
  }

  private async changes({ image: { changes } }: TaskOutputRow): Promise<TaskOutput['changes']> {
    if (!changes) return null;
    const { key, width, height } = changes;
    const grant = { key, contentType: 'image/webp', fileName: 'changes.webp' };
    const url = await this.store.signRead({ ...grant, expiresInSeconds: READ_URL_LIFETIME_SECONDS });
    return { url, width, height };
  }

  async display(row: TaskRow, { medium, thumbnail, ...image }: RenderedImage): Promise<DisplayImage> {
    const [url, mediumUrl, thumbnailUrl] = await Promise.all([
      this.urlOf(row, image),
      medium ? this.urlOf(row, medium) : null,
      this.urlOf(row, thumbnail ?? image),
    ]);
    return { url, mediumUrl, thumbnailUrl, ...sizeOf(image) };
  }

  converted(row: TaskRow, images: readonly RenderedImage[]): Promise<TaskOutput['convertedImages']> {
    return Promise.all(
      images.map(async (image) => ({
        imageContentType: image.contentType,
        outputUri: await this.urlOf(row, image),
      })),
    );
  }

  private async urlOf(row: TaskRow, { key, contentType }: Pick<StoredImage, 'key' | 'contentType'>): Promise<string> {
    return this.store.signRead({
      key,
      contentType,
      fileName: downloadNameOf(row.fileName, contentType),
      expiresInSeconds: READ_URL_LIFETIME_SECONDS,
    });
  }
}

type Size = Pick<StoredImage, 'width' | 'height'>;

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

function fittedSize({ width, height }: Size, maxSide: number | null): Size {
  const factor = Math.min(1, (maxSide ?? Number.POSITIVE_INFINITY) / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}
