/**
 * The result page.
 * @param outputId the displayed result; null: the newest that is no preview
 */
export function resultAddress(taskId: string, outputId: string | null): string {
  const query = new URLSearchParams({ taskId, mediaType: 'image' });
  if (outputId !== null) query.set('outputId', outputId);
  return `/result?${query}`;
}
