import { useCallback, useEffect, useRef, useState } from 'react';
import type { ProblemView } from '../../http/problem';
import { useDocument } from '../../ui/page/document-data';
import { openFileChooser } from '../media-files/file-input';
import { useModals } from '../modals/modals';
import { createUpload, provideFile, startTransfers, type Transfers, UploadError } from '../transfers/transfers';
import { decideUpload } from '../upload/decide-upload';

export const BATCH_INPUT_ID = 'batch-files';

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
        const others = await withoutProvided(await given, interrupted);
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

/** The files that continue no interrupted transfer. */
async function withoutProvided(files: readonly File[], taskIds: readonly string[]): Promise<readonly File[]> {
  const others: File[] = [];
  for (const file of files) {
    let isProvided = false;
    for (const taskId of taskIds) isProvided ||= await provideFile(taskId, file);
    if (!isProvided) others.push(file);
  }
  return others;
}
