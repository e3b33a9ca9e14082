/** Buffers through which results come back; used again, since making and mapping one costs more than the copy. */
const mapRead = 0x01;
const copyTarget = 0x08;
const smallest = 1024;

export class StagingRing {
  private readonly free = new Map<number, GPUBuffer[]>();
  private readonly device: GPUDevice;
  private isClosed = false;

  constructor(device: GPUDevice) {
    this.device = device;
  }

  /** A buffer of at least so many bytes, to copy into. */
  take(bytes: number): GPUBuffer {
    let size = smallest;
    while (size < bytes) size *= 2;
    return this.free.get(size)?.pop() ?? this.device.createBuffer({ size, usage: mapRead | copyTarget });
  }

  /** What was copied, once all that has been submitted is done. Gives the buffer back. */
  async contents(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    await buffer.mapAsync(mapRead, 0, bytes);
    const copy = buffer.getMappedRange(0, bytes).slice(0);
    buffer.unmap();
    if (this.isClosed) {
      buffer.destroy();
      return copy;
    }
    const ring = this.free.get(buffer.size) ?? [];
    ring.push(buffer);
    this.free.set(buffer.size, ring);
    return copy;
  }

  /** What is still under way is destroyed as it comes back. */
  close(): void {
    this.isClosed = true;
    for (const ring of this.free.values()) for (const buffer of ring) buffer.destroy();
    this.free.clear();
  }
}
