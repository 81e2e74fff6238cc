import { type FormEvent, useState } from 'react';
import type { Answer, ProblemView } from './browser-client';

/**
 * A form that the script sends.
 * @param initial problem of the same form, sent without the script
 */
export function useSentForm<Body>(
  send: (fields: FormData) => Promise<Answer<Body>>,
  onAccepted: (body: Body) => unknown,
  initial: ProblemView | null = null,
) {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState(initial);
  async function submit(fields: FormData): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await send(fields);
    setSending(false);
    setProblem(answer.problem);
    if (!answer.problem) await onAccepted(answer.body);
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void submit(new FormData(event.currentTarget));
  };
  return { isSending, problem, submit, onSubmit };
}
