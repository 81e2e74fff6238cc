import type { TFunction } from 'i18next';
import type { UploadError } from './upload-error';

interface ErrorTexts {
  readonly title: string;
  readonly lines: readonly string[];
}

export function errorTexts(error: UploadError, t: TFunction<'common'>): ErrorTexts {
  const { reason, media, found, left = 0, chosen, max = 0, actual } = error;
  const actually = (line: (value: number) => string) => (actual === undefined ? [] : [line(actual)]);
  switch (reason) {
    case 'too_few_files':
      return { title: t('uploadError.tooFewFiles.title'), lines: [t('uploadError.tooFewFiles.body')] };
    case 'too_many_files':
      return {
        title: t('uploadError.tooManyFiles.title', { left }),
        lines: [
          left > 0 ? t('uploadError.tooManyFiles.body', { left }) : t('uploadError.tooManyFiles.full'),
          ...(chosen === undefined ? [] : [t('uploadError.tooManyFiles.chosen', { chosen })]),
        ],
      };
    case 'wrong_file_format':
      return {
        title: t('uploadError.wrongFileFormat.title'),
        lines: [...(found ? [t('uploadError.wrongFileFormat.found', { found })] : []), ...supportedFormats(media, t)],
      };
    case 'empty':
      return { title: t('uploadError.empty.title'), lines: [t('uploadError.empty.body')] };
    case 'size':
    case 'size_business':
      return {
        title: t('uploadError.size.title'),
        lines: [
          media === 'video' ? t('uploadError.size.video', { max }) : t('uploadError.size.body', { megabytes: max }),
          ...actually((value) => t('uploadError.size.actual', { actual: value })),
        ],
      };
    case 'too_many_pixels':
      return {
        title: t('uploadError.size.title'),
        lines: [t(media === 'video' ? 'videoErrors.tooManyPixels' : 'errors.uploads.too_many_pixels')],
      };
    case 'too_many_frames':
      return { title: t('uploadError.size.title'), lines: [t('videoErrors.tooLarge')] };
    case 'unreadable':
      return {
        title: t('uploadError.unreadable.title'),
        lines: [t(media === 'video' ? 'videoErrors.undecodable' : 'errors.uploads.undecodable')],
      };
    case 'layers_only':
      return { title: t('uploadError.unreadable.title'), lines: [t('errors.uploads.layers_only')] };
    case 'week_size':
    case 'week_duration':
      return {
        title: t('uploadError.week.title'),
        lines: [
          ...actually((value) =>
            t(`uploadError.week.${reason === 'week_size' ? 'size' : 'duration'}`, { max, actual: value }),
          ),
          t('uploadError.week.reset'),
        ],
      };
    case 'video_off':
      return { title: t('uploadError.videoOff.title'), lines: [t('uploadError.videoOff.body')] };
    case 'duration':
    case 'duration_business':
      return {
        title: t('uploadError.duration.title'),
        lines: [
          t('uploadError.duration.body', { max }),
          ...actually((value) => t('uploadError.duration.actual', { actual: value })),
        ],
      };
  }
}

function supportedFormats(media: UploadError['media'], t: TFunction<'common'>): readonly string[] {
  if (media === 'video') return [t('uploadError.wrongFileFormat.oneVideo')];
  const formats = t('uploadError.wrongFileFormat.formats');
  if (media === 'photo') return [t('uploadError.wrongFileFormat.image'), formats];
  return [t('uploadError.wrongFileFormat.body'), formats, t('uploadError.wrongFileFormat.videos')];
}
