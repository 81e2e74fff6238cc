import { useCallback, useEffect, useRef } from 'react';

export function useSubmission<Result extends object>(
  result: Result | null,
  isSubmitting: boolean,
  submit: () => void,
): () => Promise<Result | null> {
  const waiting = useRef<((result: Result | null) => void) | null>(null);
  const seen = useRef<Result | null>(null);
  const wasSubmitting = useRef(false);

  useEffect(() => {
    const settle = (value: Result | null): void => {
      waiting.current?.(value);
      waiting.current = null;
    };
    const isNew = result !== null && result !== seen.current;
    seen.current = result;
    if (isNew) settle(result);
    else if (wasSubmitting.current && !isSubmitting) settle(null);
    wasSubmitting.current = isSubmitting;
  }, [result, isSubmitting]);
  useEffect(() => () => waiting.current?.(null), []);

  const sender = useRef(submit);
  sender.current = submit;
  return useCallback(
    () =>
      new Promise<Result | null>((resolve) => {
        waiting.current = resolve;
        sender.current();
      }),
    [],
  );
}
