import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
for await (const { index, result, error } of clearframe.batch(['photo.jpg', 'photo.jpg'], { format: 'jpeg' })) {
  if (result) await result.save(`better-${index}.jpg`);
  else console.error(index, error);
}
