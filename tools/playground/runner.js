// runner.js -- runs the script: the newest text, one run at a time; then its frames, where it has any, or steps that are
// played.

export class Runner {
  constructor(engine, onAnswer) {
    this.engine = engine;
    this.onAnswer = onAnswer; // (answer, isNew)
    this.wanted = null;
    this.isLive = false;
    this.playing = 0; // steps a frame
    this.newest = null;
    this.state = null; // what the last run came to
  }

  async run(text) {
    this.wanted = text;
    this.isLive = false;
    this.playing = 0;
    if (this.isRunning) return this.finished;
    this.isRunning = true;
    this.finished = (async () => {
      while (this.wanted !== null) {
        const next = this.wanted;
        this.wanted = null;
        const answer = await this.engine.call("run", next);
        if (this.wanted === null || answer.state.problem) this.take(answer, true);
      }
      this.isRunning = false;
    })();
    return this.finished;
  }

  // Asks what changes nothing that is shown.
  async reply(name, argument) {
    if (this.isRunning) await this.finished;
    return this.engine.call(name, argument);
  }

  // Asks for the newest of what is asked for while an answer is under way, as by a slider that is dragged.
  async askNewest(name, argument) {
    this.newest = argument;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.newest !== null) {
      const next = this.newest;
      this.newest = null;
      await this.ask(name, next);
    }
    this.isAsking = false;
  }

  take(answer, isNew) {
    if (isNew) this.state = answer.state;
    this.isLive = Boolean(answer.state.live) && !answer.state.problem;
    if (answer.state.problem) this.playing = 0;
    this.onAnswer(answer, isNew);
    if (this.isLive || this.playing > 0) this.nextFrame();
  }

  // What is asked of a script that has run, in the order it is asked.
  async ask(name, argument) {
    if (this.isRunning) await this.finished;
    const answer = await this.engine.call(name, argument);
    if (!this.isRunning) this.take(answer, false);
  }

  play(steps) {
    this.playing = steps;
    this.nextFrame();
  }

  nextFrame() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(async (now) => {
      const seconds = Math.min(0.1, Math.max(0, (now - (this.last ?? now)) / 1000));
      this.last = now;
      if (!this.isRunning && this.isLive) await this.ask("frame", seconds);
      else if (!this.isRunning && this.playing > 0) await this.ask("step", this.playing);
      this.isDue = false;
      if (!this.isRunning && (this.isLive || this.playing > 0)) this.nextFrame();
    });
  }

  stop() {
    this.playing = 0;
    this.isLive = false;
    this.wanted = null;
    this.engine.fail("stopped");
  }
}
