import { useCallback, useEffect, useRef, useState } from 'react';
import type { ProblemView } from '../../../http/problem';
import { useDocument } from '../../../ui/page/document-data';
import { useModals } from '../../modals/modals';
import { decideUpload } from '../../upload/decision/decide-upload';
import { createUpload, startTransfers, UploadError } from '../../upload/transfers/transfers';

/** Adds files to a batch, as many as fit; their transfers appear in the grid. */
export function useAddPhotos(bulkUploadId: string, places: number, refresh: () => Promise<void>) {
  const { open } = useModals();
  const { megabytes: photoSizeMb } = useDocument().limits;
  const [problem, setProblem] = useState<ProblemView | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const add = useCallback(
    async (given: readonly File[] | Promise<readonly File[]>) => {
      if (running.current || places === 0) return;
      const controller = new AbortController();
      running.current = controller;
      setProblem(null);
      try {
        const chosen = await accept(await given);
        if (chosen.length === 0) return;
        const tickets = await createUpload(chosen, { signal: controller.signal, bulkUploadId });
        startTransfers(tickets, chosen);
        await refresh();
      } catch (error) {
        if (error instanceof UploadError) setProblem(error.problem);
      } finally {
        running.current = null;
      }

      /** The files to add: all, or those that remain after an error that was read. */
      async function accept(all: readonly File[]): Promise<readonly File[]> {
        if (all.length === 0) return [];
        const limits = { hasBatch: true, files: places, photoSizeMb, video: null, largestVideo: null };
        const decision = decideUpload({ files: all, role: 'business', limits, hasVideo: false });
        if (decision.kind === 'photo') return [decision.file];
        if (decision.kind === 'batch') return decision.files;
        if (decision.kind !== 'error') return [];
        return (await open('upload:error', decision.error)) === 'goOn' ? decision.rest : [];
      }
    },
    [bulkUploadId, places, photoSizeMb, refresh, open],
  );
  return { add, problem };
}
