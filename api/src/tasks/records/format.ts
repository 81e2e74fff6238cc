import { DEFAULT_JPEG_QUALITY, type JpegQuality, type OutputContentType } from '@clearframe/contract';

/** A format as somebody asks for it. */
export interface Format {
  readonly contentType: OutputContentType;
  readonly jpegQuality: JpegQuality;
}

/** A format by the one name it has: the quality of what is no JPEG says nothing. */
export const normalFormat = ({ contentType, jpegQuality }: Format): Format => ({
  contentType,
  jpegQuality: contentType === 'image/jpeg' ? jpegQuality : DEFAULT_JPEG_QUALITY,
});
