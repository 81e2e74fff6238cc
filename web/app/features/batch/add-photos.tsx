import { useLocation } from '@remix-run/react';
import ImagePlus from 'lucide-react/icons/image-plus';
import type { ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../http/internal-address';
import { batchAddress } from '../../session/task-addresses';
import { Button, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { ACCEPTED_PHOTOS } from '../media-files/file-types';
import { BATCH_INPUT_ID } from './use-add-photos';

interface AddPhotosProps {
  readonly bulkUploadId: string;
  readonly onFiles: (files: readonly File[]) => void;
}

export function AddPhotos({ bulkUploadId, onFiles }: AddPhotosProps) {
  const { t } = useTranslation('processing');
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(currentTarget.files ?? [])]);
    // Lets the same files be chosen again after an error.
    currentTarget.value = '';
  };
  return (
    <>
      <input
        id={BATCH_INPUT_ID}
        type="file"
        multiple
        accept={ACCEPTED_PHOTOS}
        className="peer sr-only nojs:hidden"
        onChange={onChange}
      />
      <label
        htmlFor={BATCH_INPUT_ID}
        className={`${buttonClass('quiet', 'small')} min-h-11 peer-focus-visible:outline-3 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-accent max-lg:flex-1 nojs:hidden`}
      >
        <ImagePlus aria-hidden className="size-5" />
        {t('batch.add')}
      </label>
      <AppLink
        to={batchAddress(bulkUploadId, { add: '1' })}
        className={`${buttonClass('quiet', 'small')} min-h-11 max-lg:flex-1 js:hidden`}
      >
        <ImagePlus aria-hidden className="size-5" />
        {t('batch.add')}
      </AppLink>
    </>
  );
}

interface AddFormProps {
  readonly bulkUploadId: string;
  readonly places: number;
}

export function AddForm({ bulkUploadId, places }: AddFormProps) {
  const { t } = useTranslation(['processing', 'common']);
  const { limits } = useDocument();
  const { search } = useLocation();
  return (
    <form
      method="post"
      action={preserveVersionParam(`/batches/${bulkUploadId}/photos`, search)}
      encType="multipart/form-data"
      className="flex max-w-xl flex-col gap-4 rounded-card bg-raised p-5"
    >
      <label htmlFor="batch-form-files" className="text-pretty">
        {t('batch.addLabel', { places, megabytes: limits.megabytes })}
      </label>
      <input
        id="batch-form-files"
        type="file"
        name="file"
        multiple
        required
        accept={ACCEPTED_PHOTOS}
        className="w-full rounded-2xl bg-well p-3 text-sm file:me-3 file:rounded-full file:bg-raised file:px-4 file:py-2 file:font-medium"
      />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" type="submit">
          {t('batch.addSubmit')}
        </Button>
        <AppLink to={batchAddress(bulkUploadId)} className={buttonClass('quiet')}>
          {t('common:cancel')}
        </AppLink>
      </div>
    </form>
  );
}
