import { useLocation } from '@remix-run/react';
import ImagePlus from 'lucide-react/icons/image-plus';
import { type ChangeEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { preserveVersionParam } from '../../http/internal-address';
import { batchAddress } from '../../session/task-addresses';
import { Button, buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { useModals } from '../modals/modals';
import { decideUpload } from '../upload/decide-upload';
import { openFileChooser } from '../upload/file-input';
import { ACCEPTED_PHOTOS } from '../upload/file-types';
import { type Transfers, UploadError } from '../upload/transfer-store';
import { createUpload, provideFile, startTransfers } from '../upload/transfers';

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

const BATCH_INPUT_ID = 'batch-files';

interface AddOptions {
  readonly bulkUploadId: string;
  readonly places: number;
  readonly transfers: Transfers;
  readonly refresh: () => Promise<unknown>;
}

export function useAddPhotos({ bulkUploadId, places, transfers, refresh }: AddOptions) {
  const { open } = useModals();
  const { megabytes: photoSizeMb } = useDocument().limits;
  const [problem, setProblem] = useState<ProblemView | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const add = useCallback(
    async (given: readonly File[] | Promise<readonly File[]>) => {
      if (running.current) return;
      const controller = new AbortController();
      running.current = controller;
      setProblem(null);
      try {
        const interrupted = [...transfers].flatMap(([taskId, { state }]) => (state === 'needsFile' ? [taskId] : []));
        // Those that continue no interrupted transfer.
        const others = (await given).filter((file) => !interrupted.some((taskId) => provideFile(taskId, file)));
        const chosen = others.length > 0 ? await accept(others) : [];
        if (chosen.length === 0) return;
        const tickets = await createUpload(chosen, { signal: controller.signal, bulkUploadId });
        startTransfers(tickets, chosen);
        await refresh();
      } catch (error) {
        if (error instanceof UploadError) setProblem(error.problem);
      } finally {
        running.current = null;
      }

      async function accept(all: readonly File[]): Promise<readonly File[]> {
        const limits = { hasBatch: true, files: places, photoSizeMb, video: null, largestVideo: null, isVideoOn: true };
        const decision = decideUpload({ files: all, role: 'business', limits, hasVideo: false });
        if (decision.kind === 'photo') return [decision.file];
        if (decision.kind === 'batch') return decision.files;
        if (decision.kind !== 'error') return [];
        const outcome = await open('upload:error', decision.error);
        if (outcome === 'choose') openFileChooser(BATCH_INPUT_ID);
        return outcome === 'goOn' ? decision.rest : [];
      }
    },
    [bulkUploadId, places, photoSizeMb, transfers, refresh, open],
  );
  return { add, problem };
}
